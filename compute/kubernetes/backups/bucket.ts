import { mostRemovedAtOnce, openS3 } from '#kit/s3-client'
import type { BucketPlace } from './manifests.ts'

export type Credentials = { accessKeyId: string; secretAccessKey: string }
export type Entry = { key: string; bytes: number }

/** What the platform itself does in the bucket of backups: it writes what is known of each, lists, and removes. */
export async function openBucket(place: BucketPlace, credentials: Credentials) {
  const { bucket: Bucket, region, endpoint, prefix } = place
  const { sdk, s3 } = await openS3({ region, endpoint, credentials })
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
    for (let at = 0; at < keys.length; at += mostRemovedAtOnce) {
      const Objects = keys.slice(at, at + mostRemovedAtOnce).map((key) => ({ Key: top + key }))
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
        if (keys.push(key) < mostRemovedAtOnce) continue
        await remove(keys)
        keys = []
      }
      await remove(keys)
    },
    close: () => s3.destroy(),
  }
}
export type Bucket = Awaited<ReturnType<typeof openBucket>>
