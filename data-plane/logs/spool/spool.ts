import { link, mkdir, rm, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '#kit/log'
import { isMissing, readIfExists } from '#kit/postgres/files'
import { dayOf } from '../files/days.ts'
import { readFileName } from '../files/file-names.ts'
import { namesIn, statOf, type ProjectFolders } from '../files/project-folders.ts'
import type { Writers } from '../files/writers.ts'
import { lineFile, spoolFiles, type SpoolFile } from './spool-files.ts'
import { createSpoolReader, type SpoolReader } from './spool-reader.ts'
import { trimFiles, type LostLines, type ReaderFile } from './spool-room.ts'

type Options = {
  folders: ProjectFolders
  writers: Pick<Writers, 'id' | 'look'>
  /** Whether this process may still add to the file of a key. */
  isOpen: (ref: string, key: string) => boolean
  log: Log
}

/**
 * What waits to be sent elsewhere: a folder for each reader of a project, in which every segment has another name from when
 * it is begun. So packing and removing take nothing from a reader, who has lines for itself and holds nobody up; whoever
 * asks for logs never looks there. A file is read by the process that writes it, and those of dead ones by the eldest.
 */
export function createSpool({ folders, writers, isOpen, log }: Options) {
  const home = join(folders.folder, '.drains')
  const ofProject = (ref: string) => join(home, ref)
  const of = (ref: string, reader: string) => join(ofProject(ref), reader)
  const listeners = new Set<(ref: string) => void>()

  async function isEldest(): Promise<boolean> {
    const own = await writers.id()
    return (await writers.look()).living[0] === own
  }
  /** A file that is another's while that one lives. */
  async function ownOf(files: SpoolFile[]): Promise<SpoolFile[]> {
    const own = await writers.id()
    if (files.every(({ writer }) => writer === own)) return files
    const { living } = await writers.look()
    const isDead = (writer: string) => living[0] === own && !living.includes(writer)
    return files.filter(({ writer }) => writer === own || isDead(writer))
  }
  async function readers(): Promise<{ ref: string; reader: string }[]> {
    const found: { ref: string; reader: string }[] = []
    for (const ref of await namesIn(home))
      for (const reader of await namesIn(ofProject(ref))) found.push({ ref, reader })
    return found
  }
  /** Files that were begun before the folder was there. Those that are packed already are not looked at. */
  async function linkThere(ref: string, folder: string, since: number): Promise<void> {
    let hasMoved = true
    while (hasMoved) {
      hasMoved = false
      // Removed meanwhile, because there is no such reader any more.
      if (!(await statOf(folder))) return
      for (const day of await folders.days(ref)) {
        if (day < dayOf(since * 1000)) continue
        for (const name of await namesIn(folders.ofDay(ref, day))) {
          const file = readFileName(name)
          if (file?.kind !== 'active' && file?.kind !== 'sealed') continue
          if (file.kind === 'sealed' && file.span.to <= since * 1000) continue
          const path = join(folders.ofDay(ref, day), name)
          // It was sealed meanwhile, and has another name.
          if (!(await linkOnce(path, lineFile(folder, file.key)))) hasMoved = true
        }
      }
    }
  }

  return {
    /** Hears of each project that something was written for. */
    onWritten: (listener: (ref: string) => void): void => void listeners.add(listener),
    written: (ref: string): void => {
      for (const listener of listeners) listener(ref)
    },
    /** A segment was begun: its lines are kept for every reader of the project. It never fails: the log goes first. */
    async begun(ref: string, key: string, path: string): Promise<void> {
      try {
        for (const reader of await namesIn(ofProject(ref)))
          await linkOnce(path, lineFile(of(ref, reader), key))
      } catch (error) {
        log.error({ err: error, ref }, 'lines of logs are not kept for log drains')
      }
    },
    /**
     * Begins to keep lines for a reader, or goes on. `since` in milliseconds since 1970: what is older is passed over. What
     * was packed before this is called the first time is passed over too.
     */
    async open(ref: string, reader: string, since: number): Promise<SpoolReader> {
      const folder = of(ref, reader)
      const ready = join(folder, 'ready')
      if ((await readIfExists(ready)) === undefined) {
        // First the folder, which whoever begins a file looks for, and then the files that are there.
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await linkThere(ref, folder, since)
        await writeFile(ready, '', { mode: 0o600 })
      }
      return createSpoolReader({ folder, since, ownOf, isOpen: (key) => isOpen(ref, key) })
    },
    /** Nothing of a reader is left. */
    async close(ref: string, reader: string): Promise<void> {
      await rm(of(ref, reader), { recursive: true, force: true, maxRetries: 5 })
      await rmdir(ofProject(ref)).catch(unlessUsed)
    },
    /** Nothing is left of any reader of a project. */
    drop: (ref: string): Promise<void> =>
      rm(ofProject(ref), { recursive: true, force: true, maxRetries: 5 }),
    /** All that have a folder. */
    readers,
    /** Whether what is for one process only is for this one. */
    isEldest,
    /**
     * Removes the oldest files while those that only readers have take more than so many bytes. Answers how many entries of
     * which reader are lost. It is the work of the eldest.
     */
    async trim(maxBytes: number): Promise<LostLines[]> {
      if (!(await isEldest())) return []
      const files: ReaderFile[] = []
      for (const { ref, reader } of await readers())
        for (const file of await spoolFiles(of(ref, reader)))
          files.push({ ...file, folder: of(ref, reader), ref, reader })
      return trimFiles(files, maxBytes)
    },
  }
}
export type Spool = ReturnType<typeof createSpool>

/** False: there is no such file any more, or no such reader. */
async function linkOnce(path: string, name: string): Promise<boolean> {
  try {
    await link(path, name)
    return true
  } catch (error) {
    if (isMissing(error)) return false
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return true
    throw error
  }
}

/** Another reader has something in it, or it is gone. */
function unlessUsed(error: unknown): void {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'ENOENT') throw error
}
