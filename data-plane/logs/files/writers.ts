import { randomInt } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { isMissing, readIfExists } from '#kit/postgres/files'
import { beganAt } from '#kit/postgres/processes'
import { namesIn, statOf } from './project-folders.ts'

/** Where a process is: of the same place, the system says for certain whether it lives. */
const Registration = z.object({ place: z.string(), pid: z.number(), began: z.string() })
type Registration = z.infer<typeof Registration>

/** Milliseconds without a sign of life after which a writer of another machine or container is taken for dead. */
const silentMs = 10 * 60_000

/**
 * Who writes below this folder: a file for each process, whose name is the writer's id. Several may share the folder, also
 * from other containers and machines. A pid and the moment its process began name one process for good, as long as machine
 * start and pid namespace are the same; about all others the age of the file decides, which its writer touches every round.
 * Locks of the file system are no help: the runtime has none, and those of shared file systems cannot be relied on.
 */
export function createWriters(folder: string, now: () => number) {
  const home = join(folder, '.writers')
  let id = newId(now())
  let registered = false
  let keys = 0
  const fileOf = (writer: string) => join(home, writer)

  async function register(): Promise<void> {
    await mkdir(home, { recursive: true, mode: 0o700 })
    await writeFile(fileOf(id), JSON.stringify(ownRegistration()), { mode: 0o600 })
    registered = true
  }
  async function ownId(): Promise<string> {
    if (!registered) await register()
    return id
  }
  async function isAlive(writer: string): Promise<boolean> {
    if (writer === id) return true
    const [text, state] = await Promise.all([readIfExists(fileOf(writer)), statOf(fileOf(writer))])
    if (text === undefined || !state) return false
    const found = parse(text)
    const own = ownRegistration()
    if (found && own.place !== '' && found.place === own.place)
      return beganAt(found.pid) === found.began
    return Math.abs(now() - state.mtimeMs) < silentMs
  }

  return {
    /** The id of this process, which is registered before anything has it in its name. */
    id: ownId,
    /** A key that nothing else has. */
    key: async (): Promise<string> => `${await ownId()}-${(keys += 1)}`,
    /**
     * Says that this process lives. Where it was taken for dead meanwhile, it goes on under another id, and what it wrote
     * under the earlier one is no longer its own: answers false then.
     */
    async touch(): Promise<boolean> {
      if (!registered) return true
      try {
        await utimes(fileOf(id), now() / 1000, now() / 1000)
        return true
      } catch (error) {
        if (!isMissing(error)) throw error
      }
      id = newId(now())
      registered = false
      await register()
      return false
    },
    /** The ids of all that live, and of those that do not. The first one that lives is the eldest. */
    async look(): Promise<{ living: string[]; dead: string[] }> {
      const ids = (await namesIn(home)).filter((name) => /^[0-9a-z]+$/.test(name)).toSorted()
      const alive = await Promise.all(ids.map(isAlive))
      return {
        living: ids.filter((_, at) => alive[at]),
        dead: ids.filter((_, at) => !alive[at]),
      }
    },
    /** Nothing of a dead writer is left. */
    forget: (writer: string) => rm(fileOf(writer), { force: true }),
    async close(): Promise<void> {
      if (registered) await rm(fileOf(id), { force: true })
    },
  }
}
export type Writers = ReturnType<typeof createWriters>

/** Sorts by when the process began. */
const newId = (ms: number) =>
  Math.floor(ms).toString(36).padStart(9, '0') +
  randomInt(36 ** 6)
    .toString(36)
    .padStart(6, '0')

let own: Registration | undefined
function ownRegistration(): Registration {
  return (own ??= { place: ownPlace(), pid: process.pid, began: beganAt(process.pid) ?? '' })
}

/** This start of this machine, and the pid namespace. Empty where the system does not say. */
function ownPlace(): string {
  try {
    const start = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${start} ${readlinkSync('/proc/self/ns/pid')}`
  } catch (error) {
    if (isMissing(error)) return ''
    throw error
  }
}

/** A process that was killed while it registered left half of it, and has written nothing yet. */
function parse(text: string): Registration | undefined {
  try {
    return Registration.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
