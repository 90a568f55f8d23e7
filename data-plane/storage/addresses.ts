import type { FastifyRequest } from 'fastify'
import { StorageError } from './errors.ts'
import { invalidKey } from './names.ts'
import type { Storage } from './transfer/uploads.ts'

export type StorageRoutes = {
  /** The storage of the request's project, for who signed the request. @throws StorageError */
  storageOf(request: FastifyRequest): Storage
  /** The same for somebody whom nobody knows; says nothing about tokens. */
  visitorOf(request: FastifyRequest): Storage
  /** @throws StorageError while the project renders no images */
  checkRenders(request: FastifyRequest): void
}

/** Bucket and key of an address. @throws StorageError */
export function placeOf(request: FastifyRequest): { bucket: string; name: string } {
  // Every route that asks has both.
  const { bucket, '*': name } = request.params as { bucket: string; '*': string }
  if (name === '' || `${bucket}${name}`.includes('\0')) throw invalidKey(name.replaceAll('\0', ''))
  return { bucket, name }
}

export const bucketOf = (request: FastifyRequest): string => {
  const { bucket } = request.params as { bucket: string }
  if (bucket.includes('\0')) throw new StorageError('InvalidBucketName', 'Bucket name invalid')
  return bucket
}

export const queryOf = (request: FastifyRequest): URLSearchParams =>
  new URL(request.raw.url ?? '/', 'http://storage').searchParams
