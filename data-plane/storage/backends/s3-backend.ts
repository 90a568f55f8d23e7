import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { mostRemovedAtOnce, openS3, type S3Access } from '#kit/s3-client'
import { NoBytesError, type Backend, type ByteRange, type Place, type Written } from './backend.ts'

export type S3BackendOptions = S3Access & {
  bucket: string
  /** In front of all keys, without a slash at its end. */
  prefix?: string | undefined
}

/** Read ahead of what is sent, and sent at once: memory of one upload. No part but the last may have less than 5 MB. */
const partBytes = 8 * 1024 * 1024
const maxParts = 10_000
/** More than this is copied in parts. */
const maxCopied = 5 * 1024 * 1024 * 1024

/**
 * Bytes as objects of an S3 bucket: `{prefix}/{ref}/{version}`. An object is there once all of it has come, so whatever has
 * a name is whole. The client is loaded by the first who asks.
 */
export function createS3Backend(options: S3BackendOptions): Backend & { close(): Promise<void> } {
  const { bucket: Bucket, endpoint, region, credentials, prefix = '' } = options
  let loaded: ReturnType<typeof openS3> | undefined
  // What is written is compared by its length and MD5 anyway.
  const load = () => (loaded ??= openS3({ region, endpoint, credentials }))

  const folderOf = (ref: string) => `${prefix === '' ? '' : `${prefix}/`}${checked(ref)}/`
  const keyOf = ({ ref, version }: Place) => folderOf(ref) + checked(version)

  async function write(place: Place, source: AsyncIterable<Uint8Array>): Promise<Written> {
    const { sdk, s3 } = await load()
    const at = { Bucket, Key: keyOf(place) }
    const hash = createHash('md5')
    let size = 0
    let upload:
      | { id: string; parts: { PartNumber: number; ETag: string | undefined }[] }
      | undefined
    try {
      for await (const { bytes, isLast } of inParts(source)) {
        hash.update(bytes)
        size += bytes.length
        const Body = bytes
        if (isLast && !upload) {
          await s3.send(new sdk.PutObjectCommand({ ...at, Body }))
          continue
        }
        upload ??= {
          id: (await s3.send(new sdk.CreateMultipartUploadCommand(at))).UploadId ?? '',
          parts: [],
        }
        const part = { ...at, UploadId: upload.id, PartNumber: upload.parts.length + 1 }
        if (part.PartNumber > maxParts) throw new Error('Too many parts for one object')
        const { ETag } = await s3.send(new sdk.UploadPartCommand({ ...part, Body }))
        upload.parts.push({ PartNumber: part.PartNumber, ETag })
      }
      if (upload) {
        const MultipartUpload = { Parts: upload.parts }
        const all = { ...at, UploadId: upload.id, MultipartUpload }
        await s3.send(new sdk.CompleteMultipartUploadCommand(all))
      }
      return { size, md5: hash.digest('hex') }
    } catch (error) {
      // What fails here as well, the rule of the bucket for uploads that nobody completes removes.
      if (upload)
        await s3
          .send(new sdk.AbortMultipartUploadCommand({ ...at, UploadId: upload.id }))
          .catch(() => undefined)
      throw error
    }
  }

  async function size(place: Place): Promise<number> {
    const Key = keyOf(place)
    const { sdk, s3 } = await load()
    const found = await s3.send(new sdk.HeadObjectCommand({ Bucket, Key })).catch(asNoBytes)
    return found.ContentLength ?? 0
  }

  async function read(place: Place, range?: ByteRange): Promise<Readable> {
    const Key = keyOf(place)
    const { sdk, s3 } = await load()
    const Range = range && `bytes=${range.start}-${range.end}`
    const { Body } = await s3
      .send(new sdk.GetObjectCommand({ Bucket, Key, Range }))
      .catch(asNoBytes)
    if (!(Body instanceof Readable)) throw new Error('The store has answered without a stream')
    return Body
  }

  async function* all(parts: readonly Place[]): AsyncIterable<Uint8Array> {
    for (const part of parts) yield* (await read(part)) as AsyncIterable<Buffer>
  }

  async function copy(from: Place, to: Place): Promise<void> {
    const [source, Key] = [keyOf(from), keyOf(to)]
    if ((await size(from)) > maxCopied) return void (await write(to, all([from])))
    const { sdk, s3 } = await load()
    const CopySource = `${Bucket}/${source}`
    await s3.send(new sdk.CopyObjectCommand({ Bucket, Key, CopySource })).catch(asNoBytes)
  }

  async function* list(folder: string): AsyncIterable<{ key: string; at: number }> {
    const { sdk, s3 } = await load()
    for (let token: string | undefined, more = true; more;) {
      const ask = { Bucket, Prefix: folder, ContinuationToken: token }
      const page = await s3.send(new sdk.ListObjectsV2Command(ask))
      for (const { Key, LastModified } of page.Contents ?? [])
        yield { key: Key ?? '', at: LastModified?.getTime() ?? Date.now() }
      token = page.NextContinuationToken
      more = page.IsTruncated === true
    }
  }

  async function removeKeys(keys: readonly string[]): Promise<void> {
    const { sdk, s3 } = await load()
    for (let at = 0; at < keys.length; at += mostRemovedAtOnce) {
      const Objects = keys.slice(at, at + mostRemovedAtOnce).map((Key) => ({ Key }))
      const Delete = { Objects, Quiet: true }
      const { Errors } = await s3.send(new sdk.DeleteObjectsCommand({ Bucket, Delete }))
      const [failed] = Errors ?? []
      if (failed) throw new Error(`The store did not remove ${failed.Key}: ${failed.Code}`)
    }
  }

  return {
    write,
    read,
    size,
    copy,
    // Its MD5 is asked for, and parts of any size: both need the bytes.
    join: (parts, to) => write(to, all(parts)),
    remove: (places) => removeKeys(places.map(keyOf)),
    async *list(ref) {
      const folder = folderOf(ref)
      for await (const { key, at } of list(folder)) yield { version: key.slice(folder.length), at }
    },
    async removeProject(ref) {
      let keys: string[] = []
      for await (const { key } of list(folderOf(ref))) {
        if (keys.push(key) < mostRemovedAtOnce) continue
        await removeKeys(keys)
        keys = []
      }
      await removeKeys(keys)
    },
    async close() {
      if (loaded) (await loaded).s3.destroy()
    },
  }
}

/** Pieces of the same size; the last one, which may be empty, has what is left. */
async function* inParts(
  source: AsyncIterable<Uint8Array>,
): AsyncIterable<{ bytes: Buffer; isLast: boolean }> {
  let chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length;) {
      if (size === partBytes) {
        yield { bytes: Buffer.concat(chunks), isLast: false }
        chunks = []
        size = 0
      }
      const piece = chunk.subarray(at, at + partBytes - size)
      chunks.push(piece)
      size += piece.length
      at += piece.length
    }
  }
  yield { bytes: Buffer.concat(chunks), isLast: true }
}

/** Versions that came by a row written by hand are not ours to look for. */
function checked(name: string): string {
  if (!/^[a-z0-9-]{1,64}$/.test(name)) throw new NoBytesError('Not a place of ours')
  return name
}

function asNoBytes(error: unknown): never {
  const { name } = error as { name?: string }
  if (name === 'NoSuchKey' || name === 'NotFound')
    throw new NoBytesError('There are no bytes at this place')
  throw error
}
