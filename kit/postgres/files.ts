import { access, constants, open, readFile, rename, rm, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { OsUser } from './os-user.ts'

/** The text of a file, or undefined when there is none. Any other trouble is an error. */
export async function readIfExists(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

export function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

/** What the platform reads in folders of others is small; more is a trap. */
const maxRead = 1024 * 1024

/**
 * The text of a file in a folder that somebody else owns, or undefined when there is none. A link, a device or a pipe,
 * which whoever owns the folder may put there, is not followed or waited for, and nothing without end is read.
 */
export async function readForeign(path: string): Promise<string | undefined> {
  try {
    const file = await openForeign(path)
    try {
      const { size } = await file.stat()
      if (size > maxRead) throw new Error(`${path} is too large to be what it is called`)
      return await file.readFile('utf8')
    } finally {
      await file.close()
    }
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** Opens such a file to be read. @throws Error when it is none */
export async function openForeign(path: string): Promise<FileHandle> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw new Error(`${path} is no file`)
}

/**
 * Replaces a file in one step that survives a power cut: the old text or the new one, never half of it. Its owner alone
 * may read it, unless `mode` says otherwise. Safe where the folder belongs to somebody else: what is written is a new file, never one that lay there or
 * that a link leads to.
 */
export async function writeDurably(
  path: string,
  text: string | Uint8Array,
  owner?: OsUser,
  mode = 0o600,
): Promise<void> {
  const temporary = `${path}.new`
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants
  // What an attempt that was killed has left.
  await rm(temporary, { force: true })
  const file = await open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
  try {
    if (owner) await file.chown(owner.uid, owner.gid)
    if (mode !== 0o600) await file.chmod(mode)
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporary, path)
  await syncFolder(dirname(path))
}

/** Makes the names in a folder durable: a rename or a new file is only on disk after this. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
