import { isLostConnection } from '#kit/postgres/lost-connection'
import { OversizeError } from '#kit/postgres/message-watch'

/** What each refusal is: the status told in the body, and the word that older clients read (contract §1). */
const kinds = {
  NoSuchBucket: [404, 'Bucket not found'],
  NoSuchKey: [404, 'not_found'],
  NoSuchUpload: [404, 'not_found'],
  InvalidJWT: [400, 'InvalidJWT'],
  InvalidSignature: [400, 'InvalidSignature'],
  InvalidUploadSignature: [400, 'InvalidUploadSignature'],
  ExpiredToken: [400, 'ExpiredToken'],
  AccessDenied: [403, 'Unauthorized'],
  ResourceAlreadyExists: [409, 'Duplicate'],
  KeyAlreadyExists: [409, 'Duplicate'],
  BucketAlreadyExists: [409, 'Duplicate'],
  ResourceNotEmpty: [409, 'ResourceNotEmpty'],
  EntityTooLarge: [413, 'Payload too large'],
  InvalidMimeType: [415, 'invalid_mime_type'],
  InvalidKey: [400, 'InvalidKey'],
  InvalidBucketName: [400, 'Invalid Input'],
  PreconditionFailed: [412, 'PreconditionFailed'],
  InvalidRange: [400, 'invalid_range'],
  MissingParameter: [400, 'MissingParameter'],
  InvalidParameter: [400, 'InvalidParameter'],
  InvalidRequest: [400, 'InvalidRequest'],
  IncompleteBody: [400, 'IncompleteBody'],
  ResourceLocked: [423, 'ResourceLocked'],
  LockTimeout: [503, 'acquiring_lock_timeout'],
  DatabaseReadOnly: [503, 'DatabaseReadOnly'],
  DatabaseTimeout: [544, 'DatabaseTimeout'],
  DatabaseUnavailable: [503, 'DatabaseUnavailable'],
  SlowDown: [429, 'SlowDown'],
  FeatureNotEnabled: [409, 'FeatureNotEnabled'],
  InternalError: [500, 'Internal Server Error'],
} as const satisfies Record<string, readonly [status: number, error: string]>
export type StorageCode = keyof typeof kinds

/** A refusal of the storage service. */
export class StorageError extends Error {
  readonly code: StorageCode
  /** What is the matter, as HTTP tells it. The REST protocol says it in the body only. */
  readonly status: number
  readonly error: string

  constructor(code: StorageCode, message: string, given: { status?: number; error?: string } = {}) {
    super(message)
    this.code = code
    this.status = given.status ?? kinds[code][0]
    this.error = given.error ?? kinds[code][1]
  }

  body() {
    const { status, error, message, code } = this
    return { statusCode: String(status), error, message, code }
  }
}

export const noSuchBucket = () => new StorageError('NoSuchBucket', 'Bucket not found')
export const noSuchKey = () => new StorageError('NoSuchKey', 'Object not found')
export const exists = (code: 'KeyAlreadyExists' | 'BucketAlreadyExists') =>
  new StorageError(code, 'The resource already exists')
export const preconditionFailed = () =>
  new StorageError('PreconditionFailed', 'The object does not match the requested one')
export const invalidRequest = (message: string) => new StorageError('InvalidRequest', message)

/** What the database refused, in the words of the protocol; undefined when nobody but us is at fault. */
export function refusalOf(error: unknown, taken: StorageCode): StorageError | undefined {
  if (error instanceof StorageError) return error
  if (error instanceof Error && 'code' in error && error.code === 'pool_timeout') {
    return new StorageError('DatabaseTimeout', 'The database did not respond in time')
  }
  if (isLostConnection(error)) {
    return new StorageError('DatabaseUnavailable', 'The database does not answer')
  }
  if (error instanceof OversizeError) return invalidRequest(error.message)
  if (!isDatabaseError(error)) return undefined
  // The connection failed, or the server has no room for one more (contracts of the data API: 08 and 53 are 503).
  if (/^(?:08|53)/.test(error.code))
    return new StorageError('DatabaseUnavailable', 'The database cannot be reached')
  switch (error.code) {
    case '23505':
      return new StorageError(taken, 'The resource already exists')
    case '23503':
      return noSuchBucket()
    case '42501':
      return new StorageError('AccessDenied', error.message)
    case '25006':
      return new StorageError('DatabaseReadOnly', error.message)
    case '57014':
    case '55P03':
      return new StorageError('DatabaseTimeout', error.message)
    default:
      // A policy or trigger of the project itself fails, or the role of the token does not exist.
      return /^(?:P0|22|42|2F)/.test(error.code) ? invalidRequest(error.message) : undefined
  }
}

/** What the server says of a failed statement. */
type DatabaseError = Error & { code: string }

const isDatabaseError = (error: unknown): error is DatabaseError =>
  error instanceof Error && 'severity' in error && 'code' in error && typeof error.code === 'string'
