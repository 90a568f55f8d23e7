import type { ErrorCode } from '#contract/errors'
import { ApiError } from '#kit/errors'
import { StorageError, type StorageCode } from '../errors.ts'

const codes: Partial<Record<StorageCode, ErrorCode>> = {
  NoSuchBucket: 'bucket_not_found',
  NoSuchKey: 'object_not_found',
  ResourceAlreadyExists: 'name_taken',
  KeyAlreadyExists: 'name_taken',
  BucketAlreadyExists: 'name_taken',
  ResourceNotEmpty: 'bucket_not_empty',
  ResourceLocked: 'conflict',
  SlowDown: 'rate_limited',
  LockTimeout: 'service_unavailable',
  DatabaseReadOnly: 'project_unreachable',
  DatabaseTimeout: 'upstream_timeout',
  DatabaseUnavailable: 'project_unreachable',
  InternalError: 'internal',
}
/** Whose own words are better than those of the protocol. */
const own = new Set<ErrorCode | undefined>([
  'bucket_not_found',
  'object_not_found',
  'bucket_not_empty',
  'name_taken',
  'internal',
])

/** A refusal of the storage service in the words of the platform API; anything else as it is. */
export function inPlatformWords(error: unknown): unknown {
  if (!(error instanceof StorageError)) return error
  const code = codes[error.code] ?? 'invalid_input'
  return new ApiError(code, own.has(code) ? undefined : error.message)
}
