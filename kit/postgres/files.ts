import { access, open, readFile, rename } from 'node:fs/promises'
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

/** Replaces a file in one step that survives a power cut: the old text or the new one, never half of it. Only its owner can read it. The owner alone may read it. */
export async function writeDurably(path: string, text: string, owner?: OsUser): Promise<void> {
  const temporary = `${path}.new`
  const file = await open(temporary, 'w', 0o600)
  try {
    if (owner) await file.chown(owner.uid, owner.gid)
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
