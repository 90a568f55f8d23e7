import { randomBytes } from 'node:crypto'
import { lstat, open, opendir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from './postgres/files.ts'

/**
 * A file or folder that the first start makes and later ones find. It is made under another name, written through to the
 * disk and renamed, so that neither a kill nor a power cut leaves one in part under this name. Starts that make it at
 * the same time end with one of theirs.
 */
export async function madeOnce(
  target: string,
  /** Makes it at this path, in the same folder. */
  make: (at: string) => Promise<unknown>,
  /** Whether what is there can be used; what cannot is made again. */
  isGood: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<void> {
  if (await lstat(target).catch(() => undefined)) {
    if (await isGood()) return
    await rm(target, { recursive: true, force: true })
  }
  const aside = `${target}.${randomBytes(6).toString('hex')}`
  try {
    await make(aside)
    await syncTree(aside)
    await rename(aside, target)
    await syncFolder(join(target, '..'))
  } catch (error) {
    await rm(aside, { recursive: true, force: true })
    // Another start was faster.
    if (await lstat(target).catch(() => undefined)) return
    throw error
  }
}

/** Writes a file, or all that lies in a folder, through to the disk. Links are names, which their folder keeps. */
export async function syncTree(path: string): Promise<void> {
  const state = await lstat(path)
  if (state.isFile()) return syncFile(path)
  if (!state.isDirectory()) return
  let waiting: Promise<void>[] = []
  for await (const entry of await opendir(path)) {
    const at = join(path, entry.name)
    if (entry.isDirectory()) await syncTree(at)
    else if (entry.isFile()) waiting.push(syncFile(at))
    // Together they share the disk's own flushes.
    if (waiting.length < 64) continue
    await Promise.all(waiting)
    waiting = []
  }
  await Promise.all(waiting)
  await syncFolder(path)
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
