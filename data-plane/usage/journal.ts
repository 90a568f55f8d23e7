import { randomUUID } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { mkdir, open, readdir, readFile, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageBucket, UsageSighting } from '#contract/billing/usage-metrics'
import { isMissing, syncFolder } from '#kit/postgres/files'

export type Entries = { buckets: readonly UsageBucket[]; sightings: readonly UsageSighting[] }

const ending = '.journal'
/** Bytes from which a journal is written anew, and by how much it has to have grown since the last time. */
const long = { least: 16 * 1024 ** 2, growth: 2 }

/**
 * The file of one process with what nobody has taken yet. Each line is an absolute value, so that the order of lines, a line
 * that is there twice, and a whole file that is read twice make no difference: the highest value of a bucket counts.
 */
export function createJournal(folder: string) {
  let current: { handle: FileHandle; path: string } | undefined
  /** Bytes: of now, and after it was written anew. */
  let [size, base] = [0, 0]

  async function begin(): Promise<{ handle: FileHandle; path: string }> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const path = join(folder, `${randomUUID()}${ending}`)
    const handle = await open(path, 'ax', 0o600)
    await syncFolder(folder)
    return { handle, path }
  }

  async function end({ handle, path }: { handle: FileHandle; path: string }): Promise<void> {
    await handle.close()
    await unlink(path).catch(unlessMissing)
  }

  return {
    /**
     * Adds entries, and returns once they are on the disk. Without entries it only shows that this process lives. False:
     * another process took this one for dead and removed the file; all that nobody has taken is to be written anew.
     */
    async append(entries: Entries): Promise<boolean> {
      const text = textOf(entries)
      if (text === '' && !current) return true
      current ??= await begin()
      const { handle } = current
      if (text === '') await handle.utimes(new Date(), new Date())
      else {
        await handle.appendFile(text)
        await handle.datasync()
        size += text.length
      }
      return (await handle.stat()).nlink > 0
    },

    /** Has these entries and no others from now on. The old file goes when the new one is on the disk. */
    async replace(entries: Entries): Promise<void> {
      const before = current
      const text = textOf(entries)
      if (text === '') {
        current = undefined
        size = base = 0
        if (before) await end(before)
        return
      }
      const next = await begin()
      try {
        await next.handle.appendFile(text)
        await next.handle.datasync()
      } catch (error) {
        await end(next)
        throw error
      }
      current = next
      size = base = text.length
      if (before) await end(before)
    },

    /** Nobody has taken anything for so long that the same buckets stand in it many times. */
    isLong: (): boolean => size > Math.max(long.least, base * long.growth),

    isOwn: (path: string): boolean => path === current?.path,

    /** `keep`: something in it has not been taken. */
    async close(keep: boolean): Promise<void> {
      if (!current) return
      const { handle, path } = current
      current = undefined
      await (keep ? handle.close() : end({ handle, path }))
    },
  }
}
export type Journal = ReturnType<typeof createJournal>

/** A line begins with its newline: what a crash has left of the one before stays a line of its own, which nobody can read. */
function textOf({ buckets, sightings }: Entries): string {
  let text = ''
  for (const { start, ref, metric, minute, value } of buckets)
    text += `\n${JSON.stringify([start, ref, metric, minute, value])}`
  for (const { ref, kind, hash, minute } of sightings)
    text += `\n${JSON.stringify([ref, kind, hash, minute])}`
  return text === '' ? '' : `${text}\n`
}

/** What a journal says; lines that are not whole are passed over. */
export function readLines(text: string): { buckets: UsageBucket[]; sightings: UsageSighting[] } {
  const buckets = new Map<string, UsageBucket>()
  const sightings = new Map<string, UsageSighting>()
  for (const line of text.split('\n')) {
    const values = valuesOf(line)
    if (values?.length === 5) {
      const [start, ref, metric, minute, value] = values
      const { data } = UsageBucket.safeParse({ start, ref, metric, minute, value })
      if (!data) continue
      const key = `${data.start} ${data.ref} ${data.metric} ${data.minute}`
      if ((buckets.get(key)?.value ?? -1) < data.value) buckets.set(key, data)
    } else if (values?.length === 4) {
      const [ref, kind, hash, minute] = values
      const { data } = UsageSighting.safeParse({ ref, kind, hash, minute })
      if (data) sightings.set(`${data.ref} ${data.kind} ${data.hash} ${data.minute}`, data)
    }
  }
  return { buckets: [...buckets.values()], sightings: [...sightings.values()] }
}

function valuesOf(line: string): unknown[] | undefined {
  if (line === '') return undefined
  try {
    const values: unknown = JSON.parse(line)
    return Array.isArray(values) ? values : undefined
  } catch {
    return undefined
  }
}

type Look = { mark: string; since: number }

/**
 * Finds the journals whose process is dead. A live one writes to its file every second, or touches it: a file that has stayed the
 * same for `deadMs` of this process's own clock, which nobody sets, belongs to a dead one. A pid would say it sooner, but it
 * is given out again, means another process in another container that shares the folder, and nothing on another machine; with the
 * time of its start and of the boot it still says nothing across containers. Should a process only have been stopped for so long, no
 * harm is done: its values are sent, which may be done twice, and it sees that its file is gone and writes another.
 */
export function createSearch(folder: string, deadMs: number, isOwn: (path: string) => boolean) {
  const looks = new Map<string, Look>()
  return {
    async dead(): Promise<string[]> {
      const names = (await readdir(folder).catch(unlessMissing)) ?? []
      const paths = names.filter((name) => name.endsWith(ending)).map((name) => join(folder, name))
      for (const path of looks.keys()) if (!paths.includes(path)) looks.delete(path)
      const found: string[] = []
      for (const path of paths) {
        if (isOwn(path)) continue
        const about = await stat(path, { bigint: true }).catch(unlessMissing)
        if (!about) continue
        const mark = `${about.mtimeNs} ${about.size}`
        const before = looks.get(path)
        if (before?.mark !== mark) looks.set(path, { mark, since: performance.now() })
        else if (performance.now() - before.since >= deadMs) found.push(path)
      }
      return found
    },
    read: async (path: string) =>
      readLines((await readFile(path, 'utf8').catch(unlessMissing)) ?? ''),
    remove: (path: string) => unlink(path).catch(unlessMissing),
  }
}

function unlessMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error
}
