import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { link, mkdir, open, opendir, rename, rm, stat, unlink } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { isMissing, syncFolder } from '#kit/postgres/files'
import { NoBytesError, type Backend, type ByteRange, type Place, type Written } from './backend.ts'

/** Read at once. */
const blockBytes = 256 * 1024
const writtenAtOnce = 1024 * 1024

/**
 * Bytes as files: `{root}/{ref}/{two letters}/{version}`. A file gets its name once all of it is on the disk, so whatever
 * has a name is whole, also after `kill -9` or a power cut. Names are made of refs and versions only, never of what
 * people send.
 */
export function createFileBackend(root: string): Backend {
  const folderOf = ({ ref, version }: Place) => join(root, checked(ref), version.slice(0, 2))
  const fileOf = (place: Place) => join(folderOf(place), checked(place.version))

  async function write(place: Place, source: AsyncIterable<Uint8Array>): Promise<Written> {
    const target = fileOf(place)
    await makeFolder(dirname(target))
    // Listed like the rest, so that what a crash leaves of it is found.
    const unfinished = fileOf({ ref: place.ref, version: `unfinished-${randomUUID()}` })
    await makeFolder(dirname(unfinished))
    try {
      const written = await writeFile(unfinished, source)
      await rename(unfinished, target)
      await syncFolder(dirname(target))
      return written
    } catch (error) {
      await rm(unfinished, { force: true })
      throw error
    }
  }

  async function read(place: Place, range?: ByteRange): Promise<Readable> {
    const handle = await open(fileOf(place)).catch(asNoBytes)
    return createReadStream('', {
      fd: handle,
      highWaterMark: blockBytes,
      ...(range && { start: range.start, end: range.end }),
    })
  }

  async function* all(parts: readonly Place[]): AsyncIterable<Uint8Array> {
    for (const part of parts) yield* (await read(part)) as AsyncIterable<Buffer>
  }

  return {
    write,
    read,
    size: async (place) => (await stat(fileOf(place)).catch(asNoBytes)).size,
    async copy(from, to) {
      // Bytes never change, so a second name for the same ones is a copy.
      await makeFolder(folderOf(to))
      await link(fileOf(from), fileOf(to)).catch(asNoBytes)
      await syncFolder(folderOf(to))
    },
    join: (parts, to) => write(to, all(parts)),
    async remove(places) {
      for (const place of places) await unlink(fileOf(place)).catch(unlessMissing)
    },
    async *list(ref) {
      const folder = join(root, checked(ref))
      const names = await opendir(folder).catch(unlessMissing)
      for await (const entry of names ?? []) {
        for await (const file of await opendir(join(folder, entry.name)))
          yield { version: file.name, at: await bornAt(join(folder, entry.name, file.name)) }
      }
    },
    removeProject: (ref) => rm(join(root, checked(ref)), { recursive: true, force: true }),
  }
}

/** What comes is gathered, and hashed while what came before is being written. */
async function writeFile(path: string, source: AsyncIterable<Uint8Array>): Promise<Written> {
  const handle = await open(path, 'wx', 0o600)
  let writing = Promise.resolve()
  try {
    const hash = createHash('md5')
    let [size, gathered, parts] = [0, 0, Array<Uint8Array>()]
    const flush = async () => {
      await writing
      writing = writeParts(handle, parts, size - gathered)
      // Whoever waits for it next hears of its failure.
      writing.catch(() => undefined)
      gathered = 0
      parts = []
    }
    for await (const chunk of source) {
      hash.update(chunk)
      parts.push(chunk)
      size += chunk.length
      gathered += chunk.length
      if (gathered >= writtenAtOnce) await flush()
    }
    await flush()
    await writing
    await handle.sync()
    return { size, md5: hash.digest('hex') }
  } finally {
    await writing.catch(() => undefined)
    await handle.close()
  }
}

async function writeParts(handle: FileHandle, parts: Uint8Array[], at: number): Promise<void> {
  const bytes = parts.reduce((sum, { length }) => sum + length, 0)
  if (bytes === 0) return
  const { bytesWritten } = await handle.writev(parts, at)
  if (bytesWritten === bytes) return
  // A disk that is nearly full takes a part, and says why with the rest.
  const rest = Buffer.concat(parts).subarray(bytesWritten)
  for (let done = 0; done < rest.length;) {
    const from = at + bytesWritten + done
    done += (await handle.write(rest, done, rest.length - done, from)).bytesWritten
  }
}

/** Each new folder is made known to the one that it lies in. */
async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 })
  for (let made = folder; first !== undefined; made = dirname(made)) {
    await syncFolder(dirname(made))
    if (made === first) return
  }
}

/** When it got its name: a copy has the bytes of its origin and a later name. Now, for one that has just gone. */
async function bornAt(path: string): Promise<number> {
  const found = await stat(path).catch(unlessMissing)
  return found?.ctimeMs ?? Date.now()
}

/** Versions that came by a row written by hand are not ours to look for. */
function checked(name: string): string {
  if (!/^[a-z0-9-]{1,64}$/.test(name)) throw new NoBytesError('Not a place of ours')
  return name
}

function asNoBytes(error: unknown): never {
  if (isMissing(error)) throw new NoBytesError('There are no bytes at this place')
  throw error
}

function unlessMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error
}
