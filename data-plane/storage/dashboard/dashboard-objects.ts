import { Readable } from 'node:stream'
import { folderMark } from '#contract/storage/storage'
import { ApiError } from '#kit/errors'
import { rowsOf } from '../access.ts'
import { getBucket } from '../buckets.ts'
import { inPlatformWords } from './dashboard-failures.ts'
import { findFor } from '../objects.ts'
import { findObjects } from '../objects-store.ts'
import { signGrant } from '../signed-urls.ts'
import { rehearse, store, type Storage } from '../transfer/uploads.ts'

/** Seconds that an address to look at or to save something is good for. */
export const lookSeconds = 60 * 60
const uploadSeconds = 2 * 60 * 60
const operation = 'storage.object.sign'

/** Slashes of a key separate in an address as well. */
export const inAddress = (text: string) => text.split('/').map(encodeURIComponent).join('/')

/**
 * What of a project the addresses of its objects are made from: `base` for the pages of the dashboard, which know the usual address of
 * the project only, and `publicBase` for what people pass on.
 */
export type Place = { storage: Storage; base: string; publicBase: string; bucket: string }

function signed({ storage, publicBase, bucket }: Place, path: string, seconds: number): string {
  const grant = { scope: 'download', url: `${bucket}/${path}` } as const
  const token = signGrant(grant, seconds, storage.sealingKey)
  return `${publicBase}/object/sign/${inAddress(bucket)}/${inAddress(path)}?token=${token}`
}

/** @throws StorageError */
export async function signOne(place: Place, path: string, seconds: number) {
  await findFor(place.storage, place.bucket, path, operation)
  return { url: signed(place, path, seconds) }
}

/** With a name: to be saved under it, otherwise to be looked at. @throws StorageError */
export async function lookAt(place: Place, path: string, name: string | undefined) {
  const { url } = await signOne({ ...place, publicBase: place.base }, path, lookSeconds)
  return { url: name === undefined ? url : `${url}&download=${encodeURIComponent(name)}` }
}

/** @throws StorageError, ApiError */
export async function publicAddress({ storage, publicBase, bucket }: Place, path: string) {
  const { public: isPublic } = await getBucket(storage, bucket)
  if (!isPublic) throw new ApiError('bucket_private')
  return { url: `${publicBase}/object/public/${inAddress(bucket)}/${inAddress(path)}` }
}

/** @throws StorageError */
export async function signMany(place: Place, paths: readonly string[], seconds: number) {
  await getBucket(place.storage, place.bucket)
  const [rows] = await place.storage.access.asCaller({
    operation,
    statements: [findObjects(place.bucket, paths)],
  })
  const found = new Set(rowsOf<string>(rows))
  const urlOf = (path: string) => (found.has(path) ? signed(place, path, seconds) : null)
  return { urls: paths.map((path) => ({ path, url: urlOf(path) })) }
}

/** Tokens by which a browser uploads, each for one key; a key that cannot be written says why. @throws StorageError */
export async function beginUploads(place: Place, paths: readonly string[], upsert: boolean) {
  const { storage, bucket, base } = place
  await getBucket(storage, bucket)
  const uploads = []
  for (const path of paths) {
    const target = { bucket, name: path, upsert, operation: 'storage.object.sign_upload_url' }
    try {
      await rehearse(storage, target)
      const grant = { scope: 'upload', url: `${bucket}/${path}`, owner: null, upsert } as const
      const token = signGrant(grant, uploadSeconds, storage.sealingKey)
      uploads.push({ path, token, error: null })
    } catch (error) {
      const refusal = inPlatformWords(error)
      if (!(refusal instanceof ApiError) || refusal.status >= 500) throw error
      uploads.push({ path, token: null, error: { code: refusal.code, message: refusal.message } })
    }
  }
  return { url: `${base}/upload/resumable/sign`, uploads }
}

/** A folder is there as long as something is in it: this puts in what stands for nothing. @throws StorageError */
export async function makeFolder({ storage, bucket }: Place, path: string): Promise<void> {
  const name = `${path.replace(/\/+$/, '')}/${folderMark}`
  const target = { bucket, name, upsert: false, operation: 'storage.object.upload' }
  await getBucket(storage, bucket)
  await rehearse(storage, target)
  const details = {
    mimetype: 'application/octet-stream',
    cacheControl: 'no-cache',
    userMetadata: null,
  }
  await store(storage, target, Readable.from([]), () => details)
}
