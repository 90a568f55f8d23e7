import { createMutex } from '#kit/concurrency'
import { mkdir, readdir, stat } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { z } from 'zod'
import { readIfExists, syncFolder, writeDurably } from '#kit/postgres/files'
import { holderOf } from '#kit/postgres/port-question'
import type { OsUser } from '#kit/postgres/os-user'
import type { Folders } from './folders.ts'

/** project.json, beside the data directory. Until `ready` the project does not exist for anyone. */
const ProjectRecord = z.object({
  version: z.literal(1),
  ready: z.boolean(),
  port: z.int(),
  /** The project's own user; null where we do not run as root and everything is ours. */
  uid: z.int().nullable(),
  maxConnections: z.int(),
  /** Which programs it runs on (builds/kept-programs.ts); one of an earlier version of the platform has yet to be told. */
  programs: z.string().optional(),
  /** Which migrations it has been given, all of them together by one name (upgrade.ts). */
  upgrade: z.string().optional(),
  /** Why it could not be given what it lacks when that was last tried. */
  upgradeFailure: z.object({ reason: z.string(), at: z.iso.datetime() }).optional(),
  /** What had changed of the platform's objects when they were last to be made again (platform-objects.ts). */
  repaired: z.string().optional(),
  /** The part of the archive that all its WAL goes to (backups/archive.ts). */
  archive: z.string().optional(),
  /** Orders to restore that were carried out, oldest first (backups/restore.ts). */
  restores: z.array(z.string()).optional(),
  /** The replica that takes the place of its server (replicas/promote.ts). What was its server before is not started any more. */
  promoting: z.string().optional(),
  /** Its read replicas (replicas/). */
  replicas: z
    .array(
      z.object({
        id: z.string(),
        ready: z.boolean(),
        /** A user of its own, as the project has one. */
        uid: z.int().nullable(),
        /** The most that the project has had since it was made: it cannot replay with fewer. */
        maxConnections: z.int(),
        /** The port of the project's server that it was last started with. */
        reads: z.int().optional(),
      }),
    )
    .optional(),
})
/** A read replica (replicas/). Until `ready` it is being made, or removed, or has to be made anew. */
export type ReplicaRecord = NonNullable<z.infer<typeof ProjectRecord>['replicas']>[number]
export type ProjectRecord = z.infer<typeof ProjectRecord>

export function userOf(record: Pick<ProjectRecord, 'uid'>): OsUser | undefined {
  return record.uid === null ? undefined : { uid: record.uid, gid: record.uid }
}

/** Both ends belong to it. */
export type PortRange = { low: number; high: number }

/**
 * Which project has which port and which user. The files are the truth; they are read once and kept, because one
 * process owns them. Claims are made one after the other, so two creates never get the same.
 */
export async function createRegistry(folders: Folders, ports: PortRange) {
  const { records, unreadable } = await readRecords(folders)
  const exclusively = createMutex()

  /** Ports of projects that are being made, on which nobody is answered: no other program takes them meanwhile. */
  const kept = new Map<string, Server>()

  async function freePort(ref: string): Promise<{ port: number; holder: Server }> {
    const others = [...records].filter(([other]) => other !== ref).map(([, record]) => record.port)
    const taken = new Set(others)
    for (let port = ports.low; port <= ports.high; port++) {
      const holder = taken.has(port) ? undefined : await hold(port)
      if (holder) return { port, holder }
    }
    throw new Error(`No free port between ${ports.low} and ${ports.high}`)
  }
  async function save(ref: string, record: ProjectRecord): Promise<void> {
    await mkdir(folders.project(ref), { recursive: true, mode: 0o711 })
    await writeDurably(join(folders.project(ref), 'project.json'), JSON.stringify(record))
    await syncFolder(folders.projects)
    records.set(ref, record)
    if (record.ready) release(ref)
  }
  /** The port of a project that has been made is for whoever takes its connections. */
  function release(ref: string): void {
    kept.get(ref)?.close()
    kept.delete(ref)
  }

  return {
    get: (ref: string) => records.get(ref),
    /** Projects whose record is damaged: they cannot be started, but their users stay theirs. */
    unreadable,
    save,
    uids: () => uidsOf({ records, unreadable }),
    /** Claims a port, keeps it until the project is ready, and writes the record down, not ready yet. */
    claim: (
      ref: string,
      rest: Pick<ProjectRecord, 'uid' | 'maxConnections' | 'upgrade' | 'programs'>,
    ) =>
      exclusively(async () => {
        const { port, holder } = await freePort(ref)
        release(ref)
        kept.set(ref, holder)
        const record = { version: 1, ready: false, port, ...rest } as const
        await save(ref, record)
        return record
      }),
    /** The record with a port that is free now, or that the gateway holds for this project: the old one where possible. */
    withFreePort: (ref: string, record: ProjectRecord) =>
      exclusively(async () => {
        if (kept.has(ref) || (await holderOf(record.port)) === ref) return record
        const same = await hold(record.port)
        const { port, holder } = same ? { ...record, holder: same } : await freePort(ref)
        holder.close()
        if (port === record.port) return record
        const moved = { ...record, port }
        await save(ref, moved)
        return moved
      }),
    refs: () => [...records.keys()],
    /** After the project's folder is gone. */
    forget(ref: string): void {
      release(ref)
      records.delete(ref)
      unreadable.delete(ref)
    },
  }
}
export type Registry = Awaited<ReturnType<typeof createRegistry>>

/** The users that are somebody's. */
export function uidsOf({
  records,
  unreadable,
}: Awaited<ReturnType<typeof readRecords>>): Set<number> {
  const known = [...records.values()]
  const replicas = known.flatMap((record) => record.replicas ?? [])
  return new Set([...known, ...replicas, ...unreadable.values()].map(({ uid }) => uid ?? -1))
}

/** What the files say, and which of them cannot be read. */
export async function readRecords(folders: Folders) {
  const records = new Map<string, ProjectRecord>()
  const unreadable = new Map<string, { error: unknown; uid: number }>()
  for (const ref of await readdir(folders.projects)) {
    try {
      const text = await readIfExists(join(folders.project(ref), 'project.json'))
      if (text === undefined) continue
      records.set(ref, ProjectRecord.parse(JSON.parse(text)))
    } catch (error) {
      const owner = await stat(folders.data(ref)).catch(() => undefined)
      unreadable.set(ref, { error, uid: owner?.uid ?? -1 })
    }
  }
  return { records, unreadable }
}

/** A server that has the port and breaks off whoever comes; undefined: it is not free. */
function hold(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', () => resolve(undefined))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(server.unref()))
  })
}
