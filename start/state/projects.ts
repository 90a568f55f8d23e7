import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { segmentSize, streamBaseBackup, walFileOf } from '#compute/local/backups/server-store'
import { isMissing, readIfExists } from '#kit/postgres/files'
import type { PostgresRuntime } from '#kit/postgres/runtime'
import { findRunning } from '#kit/postgres/server'
import { writeAll, writeNew } from './files.ts'
import { names, StateError, type File, type Manifest } from './layout.ts'

/** What the provider keeps beside the data. */
const Record = z.looseObject({
  ready: z.boolean(),
  uid: z.int().nullable(),
  maxConnections: z.int(),
  upgrade: z.string().optional(),
})
type Record = z.infer<typeof Record>
type Copied = { base: File; startWal: string }

/**
 * Copies the server of a project as the provider's own backups are: from the server where it runs, otherwise from its
 * files, which the project's own user reads. Undefined: there is no server of it.
 */
export async function copyProject(
  { clusters }: PostgresRuntime,
  { ref, adminPassword }: { ref: string; adminPassword: string },
  into: string,
): Promise<Manifest['projects'][number] | undefined> {
  const folder = join(clusters, 'projects', ref)
  const written = await readIfExists(join(folder, 'project.json'))
  const record = written === undefined ? undefined : Record.parse(JSON.parse(written))
  if (!record?.ready) return undefined
  const data = join(folder, 'data')
  const target = join(into, names.base(ref))
  const server = await findRunning(data)
  const takenAt = new Date()
  const { base, startWal } = server
    ? await copyRunning(
        { host: server.socketDir, port: server.port, password: adminPassword },
        target,
      )
    : await copyStopped(ref, data, record, target)
  const facts = {
    version: 1,
    bytes: base.bytes,
    takenAt,
    startWal,
    archive: null,
    upgrade: record.upgrade,
    maxConnections: record.maxConnections,
    counts: [],
  }
  async function* lines() {
    yield Buffer.from(JSON.stringify(facts))
  }
  return { ref, base, facts: await writeAll(join(into, names.facts(ref)), lines()) }
}

async function copyRunning(
  admin: Parameters<typeof streamBaseBackup>[0],
  target: string,
): Promise<Copied> {
  const file = await writeNew(target)
  try {
    // More may come before the server is told to wait: one part after the other.
    let written = Promise.resolve()
    const { start, timeline } = await streamBaseBackup(admin, (chunk) => {
      written = written.then(() => file.add(chunk))
      return written
    })
    await written
    const startWal = walFileOf(start, timeline, await segmentSize(admin))
    return { base: await file.end(), startWal }
  } catch (error) {
    await file.drop()
    throw error
  }
}

async function copyStopped(
  ref: string,
  data: string,
  { uid }: Record,
  target: string,
): Promise<Copied> {
  const before = await lastWritten(data)
  const child = spawn('tar', ['--create', '--gzip', '--directory', data, '.'], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', GZIP: '-1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid === null ? {} : { uid, gid: uid }),
  })
  const output = text(child.stderr)
  const ended = once(child, 'close') as Promise<[number | null]>
  const base = await writeAll(target, child.stdout)
  const [code] = await ended
  if (code !== 0) throw new StateError(`tar ended with ${code}: ${(await output).slice(-500)}`)
  if (before !== (await lastWritten(data)) || (await findRunning(data))) {
    throw new StateError(`project ${ref} was started while it was copied: begin again`)
  }
  return { base, startWal: '0'.repeat(24) }
}

/** Every start and every stop of a server writes this file. */
async function lastWritten(data: string): Promise<number | undefined> {
  try {
    return (await lstat(join(data, 'global/pg_control'))).mtimeMs
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}
