import { rm } from 'node:fs/promises'
import { isMissing } from '#kit/postgres/files'
import { statOf } from '../files/project-folders.ts'
import { countLines, readCursor, type SpoolFile } from './spool-files.ts'

export type ReaderFile = SpoolFile & { folder: string; ref: string; reader: string }
/** Entries that a reader will never get. */
export type LostLines = { ref: string; reader: string; lost: number }

/** A file by itself: how many names it has, and how many of these are readers'. */
type Inode = { names: number; ofReaders: number; size: number; changedAt: number }

/**
 * Removes the oldest files until those that nobody but readers has take no more than so many bytes. What stands in the log
 * itself too takes no room here.
 */
export async function trimFiles(
  files: readonly ReaderFile[],
  maxBytes: number,
): Promise<LostLines[]> {
  const inodes = new Map<number, Inode>()
  const found: { file: ReaderFile; inode: Inode }[] = []
  for (const file of files) {
    const state = await statOf(file.path)
    if (!state) continue
    const { ino, nlink, size, mtimeMs } = state
    const inode = inodes.get(ino) ?? { names: nlink, ofReaders: 0, size, changedAt: mtimeMs }
    inode.ofReaders += 1
    inodes.set(ino, inode)
    found.push({ file, inode })
  }
  const isOnlyReaders = ({ names, ofReaders }: Inode) => names <= ofReaders
  let bytes = [...inodes.values()].filter(isOnlyReaders).reduce((sum, { size }) => sum + size, 0)
  const lost: LostLines[] = []
  for (const { file, inode } of found.toSorted((a, b) => a.inode.changedAt - b.inode.changedAt)) {
    if (bytes <= maxBytes) break
    if (!isOnlyReaders(inode)) continue
    lost.push({ ref: file.ref, reader: file.reader, lost: await linesLeft(file) })
    await rm(file.path, { force: true })
    inode.names -= 1
    inode.ofReaders -= 1
    if (inode.ofReaders === 0) bytes -= inode.size
  }
  return lost
}

async function linesLeft({ folder, key, path }: ReaderFile): Promise<number> {
  try {
    return await countLines(path, await readCursor(folder, key))
  } catch (error) {
    if (isMissing(error)) return 0
    throw error
  }
}
