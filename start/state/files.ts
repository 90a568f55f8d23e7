import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdir, open, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isMissing, openForeign, syncFolder } from '#kit/postgres/files'
import { StateError, type File } from './layout.ts'

const blockBytes = 1024 * 1024

/** A file that was not there before, readable by its owner alone. */
const openNew = (path: string): Promise<FileHandle> => {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants
  return open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
}

async function* blocksOf(path: string): AsyncIterable<Buffer> {
  const file = await openForeign(path)
  try {
    for (;;) {
      const { bytesRead, buffer } = await file.read({ buffer: Buffer.allocUnsafe(blockBytes) })
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

/** A new file that is written piece by piece; it is on the disk once `end` has resolved. */
export async function writeNew(path: string) {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const file = await openNew(path)
  const hash = createHash('sha256')
  let bytes = 0
  return {
    async add(chunk: Uint8Array): Promise<void> {
      hash.update(chunk)
      bytes += chunk.length
      await file.writeFile(chunk)
    },
    async end(): Promise<File> {
      await file.sync()
      await file.close()
      await syncFolder(dirname(path))
      return { bytes, sha256: hash.digest('hex') }
    },
    /** For what goes wrong on the way. */
    drop: () => file.close(),
  }
}

/** Writes all of a source into a new file. */
export async function writeAll(path: string, source: AsyncIterable<Uint8Array>): Promise<File> {
  const target = await writeNew(path)
  try {
    for await (const chunk of source) await target.add(chunk)
  } catch (error) {
    await target.drop()
    throw error
  }
  return target.end()
}

export const copyFile = (from: string, to: string): Promise<File> => writeAll(to, blocksOf(from))

/** Size and digest of a file that is there. Links are not followed. */
export async function digestOf(path: string): Promise<File> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const block of blocksOf(path)) {
    hash.update(block)
    bytes += block.length
  }
  return { bytes, sha256: hash.digest('hex') }
}

/** @throws StateError unless the file is what was written down of it */
export function assertSame(name: string, found: File, expected: File): void {
  if (found.bytes !== expected.bytes || found.sha256 !== expected.sha256) {
    throw new StateError(`the backup is damaged: ${name} is not what was written`)
  }
}

/** @throws StateError where there is none */
export async function whenThere<T>(name: string, read: Promise<T>): Promise<T> {
  try {
    return await read
  } catch (error) {
    if (!isMissing(error)) throw error
    throw new StateError(`the backup is damaged: ${name} is missing`, { cause: error })
  }
}
