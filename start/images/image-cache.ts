import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export type ImageCache = ReturnType<typeof createImageCache>

type Limits = { bytes: number; files: number }

/** Made images on disk, below `folder`: at most so many bytes and files, the oldest go first. */
export function createImageCache(folder: string, limits: Limits) {
  const fileOf = (key: string) => join(folder, createHash('sha256').update(key).digest('hex'))

  async function evict(): Promise<void> {
    const names = await readdir(folder)
    const files = await Promise.all(
      names.map(async (name) => {
        const path = join(folder, name)
        // Removed by another round in the meantime: as if it had not been listed.
        const found = await stat(path).catch(() => undefined)
        return { path, size: found?.size ?? 0, at: found?.mtimeMs ?? 0 }
      }),
    )
    let bytes = files.reduce((sum, { size }) => sum + size, 0)
    let left = files.length
    for (const { path, size } of files.toSorted((a, b) => a.at - b.at)) {
      if (bytes <= limits.bytes && left <= limits.files) return
      await rm(path, { force: true })
      bytes -= size
      left -= 1
    }
  }

  return {
    /** What is kept under this key and not older than `ageMs`. */
    async get(key: string, ageMs: number, now = Date.now()): Promise<Buffer | undefined> {
      const file = fileOf(key)
      const found = await stat(file).catch(() => undefined)
      if (!found || now - found.mtimeMs > ageMs) return undefined
      // Evicted between the two: made again.
      return readFile(file).catch(() => undefined)
    },

    /** Whole or not at all: a reader never sees half an image. */
    async put(key: string, image: Buffer): Promise<void> {
      await mkdir(folder, { recursive: true })
      const file = fileOf(key)
      const fresh = `${file}.${randomUUID()}`
      await writeFile(fresh, image)
      await rename(fresh, file)
      await evict()
    },
  }
}
