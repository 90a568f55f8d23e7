import { createHash } from 'node:crypto'
import type { S3Client } from '@aws-sdk/client-s3'
import type { BucketPlace } from './manifests.ts'

export type Credentials = { accessKeyId: string; secretAccessKey: string }
export type Entry = { key: string; bytes: number }

type HeaderBag = Record<string, string>
const atOnce = 1000

/** What the platform itself does in the bucket of backups: it writes what is known of each, lists, and removes. */
export async function openBucket(place: BucketPlace, credentials: Credentials) {
  const { bucket: Bucket, region, endpoint, prefix } = place
  const sdk = await import('@aws-sdk/client-s3')
  const s3: S3Client = new sdk.S3Client({
    region,
    credentials,
    forcePathStyle: endpoint !== undefined,
    ...(endpoint !== undefined && { endpoint }),
    // Not every server knows the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  // Some servers remove several objects only with this older one.
  s3.middlewareStack.add(
    (send, { commandName }) =>
      (call) => {
        const { headers, body } = call.request as { headers: HeaderBag; body?: unknown }
        if (commandName === 'DeleteObjectsCommand' && typeof body === 'string')
          headers['content-md5'] = createHash('md5').update(body).digest('base64')
        return send(call)
      },
    { step: 'build', name: 'md5OfDeletes' },
  )
  const top = prefix === undefined || prefix === '' ? '' : `${prefix}/`

  async function* list(folder: string): AsyncIterable<Entry> {
    for (let token: string | undefined, more = true; more;) {
      const ask = { Bucket, Prefix: top + folder, ContinuationToken: token }
      const page = await s3.send(new sdk.ListObjectsV2Command(ask))
      for (const { Key = '', Size = 0 } of page.Contents ?? [])
        yield { key: Key.slice(top.length), bytes: Size }
      token = page.NextContinuationToken
      more = page.IsTruncated === true
    }
  }
  async function remove(keys: readonly string[]): Promise<void> {
    for (let at = 0; at < keys.length; at += atOnce) {
      const Objects = keys.slice(at, at + atOnce).map((key) => ({ Key: top + key }))
      const Delete = { Objects, Quiet: true }
      const { Errors } = await s3.send(new sdk.DeleteObjectsCommand({ Bucket, Delete }))
      const [failed] = Errors ?? []
      if (failed) throw new Error(`The bucket did not remove ${failed.Key}: ${failed.Code}`)
    }
  }
  return {
    list,
    remove,
    /** Undefined: there is none. */
    async read(key: string): Promise<string | undefined> {
      try {
        const { Body } = await s3.send(new sdk.GetObjectCommand({ Bucket, Key: top + key }))
        return await Body?.transformToString()
      } catch (error) {
        if (error instanceof Error && error.name === 'NoSuchKey') return undefined
        throw error
      }
    },
    async write(key: string, text: string): Promise<void> {
      await s3.send(new sdk.PutObjectCommand({ Bucket, Key: top + key, Body: text }))
    },
    /** The names of what is directly below the prefix. */
    async folders(): Promise<string[]> {
      const found: string[] = []
      for (let token: string | undefined, more = true; more;) {
        const ask = { Bucket, Prefix: top, Delimiter: '/', ContinuationToken: token }
        const page = await s3.send(new sdk.ListObjectsV2Command(ask))
        for (const one of page.CommonPrefixes ?? [])
          found.push((one.Prefix ?? '').slice(top.length, -1))
        token = page.NextContinuationToken
        more = page.IsTruncated === true
      }
      return found
    },
    async removeFolder(folder: string): Promise<void> {
      let keys: string[] = []
      for await (const { key } of list(folder)) {
        if (keys.push(key) < atOnce) continue
        await remove(keys)
        keys = []
      }
      await remove(keys)
    },
    close: () => s3.destroy(),
  }
}
export type Bucket = Awaited<ReturnType<typeof openBucket>>
