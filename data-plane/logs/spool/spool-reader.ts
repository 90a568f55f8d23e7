import { isMissing } from '#kit/postgres/files'
import { statOf } from '../files/project-folders.ts'
import {
  readCursor,
  readLines,
  removeFile,
  spoolFiles,
  writeCursor,
  type Lines,
  type SpoolFile,
} from './spool-files.ts'

type Options = {
  folder: string
  /** Milliseconds since 1970: what is older is passed over. */
  since: number
  /** Which of some files this process has to read, and whether somebody may still add to one. */
  ownOf: (files: SpoolFile[]) => Promise<SpoolFile[]>
  isOpen: (key: string) => boolean
}

/**
 * Reads what waits for one reader, in the order in which it was written. It is gone once it was taken: nothing is kept in
 * memory between, so whoever cannot send costs no more than a file.
 */
export function createSpoolReader({ folder, since, ownOf, isOpen }: Options) {
  /** How far each file was sent, for as long as this process reads it. */
  const offsets = new Map<string, number>()

  async function offsetOf(key: string): Promise<number> {
    const known = offsets.get(key) ?? (await readCursor(folder, key))
    offsets.set(key, known)
    return known
  }
  async function forget(key: string): Promise<void> {
    offsets.delete(key)
    await removeFile(folder, key)
  }
  async function moved(key: string, to: number): Promise<void> {
    // First of all here: what was sent is not sent again by this process, even where no cursor can be written.
    offsets.set(key, to)
    await writeCursor(folder, key, to)
  }
  /** Undefined: it has nothing, and is removed where nothing will come. `isLast`: after these it can be removed. */
  async function linesOf(
    { key, path }: SpoolFile,
    most: { entries: number; bytes: number },
  ): Promise<(Lines & { isLast: boolean }) | undefined> {
    // Asked first: what was written until then is found.
    const isOver = !isOpen(key)
    try {
      const offset = await offsetOf(key)
      const lines = await readLines(path, offset, most)
      if (lines.end > offset) return { ...lines, isLast: isOver && !lines.hasMore }
    } catch (error) {
      // Removed with its reader, or because there was no room for more.
      if (!isMissing(error)) throw error
    }
    if (isOver) await forget(key)
    return undefined
  }

  return {
    /** What is to be sent next; undefined: nothing at the moment. */
    async next(most: { entries: number; bytes: number }) {
      const files = await ownOf(await spoolFiles(folder))
      for (const [at, file] of files.entries()) {
        const lines = await linesOf(file, most)
        if (!lines) continue
        const { events, ends, end, hasMore, isLast } = lines
        const isNew = events.map(({ timestamp }) => timestamp >= since * 1000)
        const entries = events.filter((_, index) => isNew[index])
        const places = ends.filter((_, index) => isNew[index])
        return {
          entries,
          /** Nothing else waits at the moment. */
          isAll: !hasMore && at === files.length - 1,
          /** The first so many of them, or all, are not to be answered again. */
          taken(count = entries.length): Promise<void> {
            const isWhole = count >= entries.length
            if (isWhole && isLast) return forget(file.key)
            return moved(file.key, isWhole ? end : (places[count - 1] ?? end))
          },
        }
      }
      return undefined
    },
    /** Bytes that wait. */
    async waiting(): Promise<number> {
      let bytes = 0
      for (const { key, path } of await ownOf(await spoolFiles(folder)))
        bytes += Math.max(((await statOf(path))?.size ?? 0) - (await offsetOf(key)), 0)
      return bytes
    },
  }
}
export type SpoolReader = ReturnType<typeof createSpoolReader>
