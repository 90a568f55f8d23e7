import type { PassThrough, Readable } from 'node:stream'
import { folderMark, maxArchived } from '#contract/storage/storage'
import type { ZipFile } from 'yazl'
import { rowsOf } from '../access.ts'
import { NoBytesError } from '../backends/backend.ts'
import { contentOf } from '../transfer/download-headers.ts'
import { invalidRequest } from '../errors.ts'
import { listLevel, type Listed } from '../list-store.ts'
import { findObject, findObjects, type StoredObject } from '../objects-store.ts'
import type { Storage } from '../transfer/uploads.ts'

const operation = 'storage.object.archive'
const pageSize = 1000
/** Looks at the row again when its bytes were replaced between the two looks. */
const attempts = 3

/** An object that goes into an archive, and where it stands there. */
export type Archived = { key: string; path: string }

const isFolder = (path: string) => path.endsWith('/')
const parentOf = (path: string) => path.slice(0, path.lastIndexOf('/', path.length - 2) + 1)

/**
 * The objects below the folders of `paths`, and those that it names, in the order of their names.
 * @throws StorageError when they are too many for one archive
 */
export async function archivedOf(
  { access }: Storage,
  bucket: string,
  paths: readonly string[],
): Promise<Archived[]> {
  const found: Archived[] = []
  const take = (keys: readonly string[], parent: string) => {
    for (const key of keys) found.push({ key, path: key.slice(parent.length) })
    if (found.length > maxArchived)
      throw invalidRequest(`An archive has at most ${maxArchived} objects`)
  }
  for (const path of [...new Set(paths)].toSorted()) {
    if (!isFolder(path)) take([path], parentOf(path))
    else
      for (let after = '', more = true; more;) {
        const ask = { bucket, prefix: path, delimiter: '', after, max: pageSize }
        const statements = [listLevel({ ...ask, descending: false })]
        const [rows] = await access.asService({ operation, statements })
        const keys = rowsOf<Listed>(rows).map(({ name }) => name)
        take(keys, parentOf(path))
        after = keys.at(-1) ?? ''
        more = keys.length === pageSize
      }
  }
  return found
}

/** Whether any of the paths leads to an object. @throws StorageError when they lead to too many */
export async function anyOf(storage: Storage, bucket: string, paths: readonly string[]) {
  const archived = await archivedOf(storage, bucket, paths)
  const single = [...new Set(paths)].filter((path) => !isFolder(path))
  if (archived.length > single.length) return true
  const statements = [findObjects(bucket, single)]
  const [rows] = await storage.access.asService({ operation, statements })
  return (rows ?? []).length > 0
}

/**
 * The objects as one zip, made while it is read. Who stops reading stops it; what fails on the way breaks it off, so that
 * nobody takes a part for all of it.
 */
export async function archiveStream(
  storage: Storage,
  bucket: string,
  archived: readonly Archived[],
): Promise<Readable> {
  const yazl = await import('yazl')
  const zip = new yazl.ZipFile()
  // It is one; the types of the library say less.
  const out = zip.outputStream as PassThrough
  zip.on('error', (error: Error) => out.destroy(error))
  fill(zip, out, storage, bucket, archived).then(
    () => zip.end(),
    (error: Error) => out.destroy(error),
  )
  return out
}

async function fill(
  zip: ZipFile,
  out: PassThrough,
  storage: Storage,
  bucket: string,
  archived: readonly Archived[],
): Promise<void> {
  const names = createNames()
  const gone: string[] = []
  for (const { key, path } of archived) {
    if (out.destroyed) return
    if (isFolder(path) || path.endsWith(`/${folderMark}`)) {
      zip.addEmptyDirectory(names.folder(path.slice(0, path.lastIndexOf('/'))))
      continue
    }
    const found = await open(storage, bucket, key)
    if (found) await add(zip, out, names.file(path), found)
    else gone.push(key)
  }
  if (gone.length === 0) return
  const text = `These were gone before they could be read:\n${gone.join('\n')}\n`
  zip.addBuffer(Buffer.from(text), names.file('Left out.txt'))
}

type Opened = { bytes: Readable; at: Date; isPacked: boolean }
/** Types whose bytes do not become fewer. */
const packed = /^(?:image\/(?!svg|bmp)|audio\/|video\/|font\/woff|application\/(?:zip|gzip|x-7z))/

/** Undefined: there is nothing to read any more. */
async function open(
  { access, backend, ref }: Storage,
  bucket: string,
  key: string,
): Promise<Opened | undefined> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const statements = [findObject(bucket, key)]
    const [rows] = await access.asService({ operation, statements })
    const [row] = rowsOf<StoredObject>(rows)
    if (!row || row.version === null) return undefined
    const { mimetype, lastModified: at } = contentOf(row, 0)
    try {
      const bytes = await backend.read({ ref, version: row.version })
      return { bytes, at, isPacked: packed.test(mimetype) }
    } catch (error) {
      if (!(error instanceof NoBytesError)) throw error
    }
  }
  return undefined
}

/** Resolves once all bytes have been taken, so that no more than two objects are open at a time. */
function add(zip: ZipFile, out: PassThrough, name: string, { bytes, at, isPacked }: Opened) {
  return new Promise<void>((resolve, reject) => {
    const stop = () => bytes.destroy()
    out.once('close', stop)
    bytes.once('error', reject)
    bytes.once('close', () => {
      out.off('close', stop)
      resolve()
    })
    // It may have ended while the bytes were being opened.
    if (out.destroyed) stop()
    else zip.addReadStream(bytes, name, { mtime: at, compressionLevel: isPacked ? 0 : 1 })
  })
}

/** Of a part of a key: nothing that means another place, a device or nothing at all to whoever unpacks it. */
function safePart(part: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what must not come through
  const plain = part.replaceAll(/[\u0000-\u001f\u007f\\:]/g, '_')
  return /^[. ]*$/.test(plain) ? `_${plain.slice(1)}`.replaceAll(/[. ]/g, '_') : plain
}

/** `a.txt` becomes `a (2).txt`. */
function numbered(name: string, number: number): string {
  const dot = name.lastIndexOf('.')
  const end = dot > 0 ? dot : name.length
  return `${name.slice(0, end)} (${number})${name.slice(end)}`
}

const sameAs = (name: string) => name.normalize('NFC').toLowerCase()

/**
 * Names of the entries of one archive. All of them stay in the folder that it is unpacked into, and no two are the same,
 * also where the case of letters does not count; a key can be a folder and an object at once.
 */
export function createNames() {
  const taken = new Set<string>()
  const next = new Map<string, number>()
  const folders = new Map([['', '']])

  function unused(folder: string, part: string): string {
    const safe = safePart(part)
    const base = sameAs(folder + safe)
    for (let number = next.get(base) ?? 1; ; number++) {
      const name = folder + (number === 1 ? safe : numbered(safe, number))
      if (taken.has(sameAs(name))) continue
      taken.add(sameAs(name))
      next.set(base, number + 1)
      return name
    }
  }

  /** With a slash at its end; the same one for the same path. */
  function folder(path: string): string {
    const known = folders.get(path)
    if (known !== undefined) return known
    const cut = path.lastIndexOf('/')
    const name = `${unused(folder(path.slice(0, Math.max(cut, 0))), path.slice(cut + 1))}/`
    folders.set(path, name)
    return name
  }

  return {
    folder,
    file(path: string): string {
      const cut = path.lastIndexOf('/')
      return unused(folder(path.slice(0, Math.max(cut, 0))), path.slice(cut + 1))
    },
  }
}
