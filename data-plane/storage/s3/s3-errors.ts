import { NoBytesError } from '../backends/backend.ts'
import { StorageError } from '../errors.ts'

/** What each refusal of the S3 protocol is in HTTP. */
const statuses = {
  AccessDenied: 403,
  AuthorizationHeaderMalformed: 400,
  AuthorizationQueryParametersError: 400,
  BadDigest: 400,
  BucketAlreadyExists: 409,
  BucketNotEmpty: 409,
  EntityTooLarge: 413,
  EntityTooSmall: 400,
  FeatureNotEnabled: 409,
  IncompleteBody: 400,
  InternalError: 500,
  InvalidAccessKeyId: 403,
  InvalidArgument: 400,
  InvalidBucketName: 400,
  InvalidChunkSizeError: 400,
  InvalidDigest: 400,
  InvalidKey: 400,
  InvalidMimeType: 415,
  InvalidPart: 400,
  InvalidPartNumber: 416,
  InvalidPartOrder: 400,
  InvalidPolicyDocument: 400,
  InvalidRange: 416,
  InvalidRequest: 400,
  InvalidToken: 400,
  InvalidURI: 400,
  MalformedPOSTRequest: 400,
  MalformedTrailerError: 400,
  MalformedXML: 400,
  MethodNotAllowed: 405,
  MissingContentLength: 411,
  MissingSecurityHeader: 400,
  NoSuchBucket: 404,
  NoSuchKey: 404,
  NoSuchUpload: 404,
  NotImplemented: 501,
  PreconditionFailed: 412,
  RequestTimeTooSkewed: 403,
  ServiceUnavailable: 503,
  SignatureDoesNotMatch: 403,
  SlowDown: 503,
  XAmzContentSHA256Mismatch: 400,
} as const
export type S3Code = keyof typeof statuses

/** A refusal of the S3 protocol, which answers with real statuses. `details` are further elements of its XML. */
export class S3Error extends Error {
  readonly code: S3Code
  readonly status: number
  readonly details: Record<string, string>

  constructor(code: S3Code, message: string, details: Record<string, string> = {}) {
    super(message)
    this.code = code
    this.status = statuses[code]
    this.details = details
  }
}

const renamed: Record<string, S3Code> = {
  ResourceNotEmpty: 'BucketNotEmpty',
  ResourceAlreadyExists: 'PreconditionFailed',
  KeyAlreadyExists: 'PreconditionFailed',
  InvalidParameter: 'InvalidArgument',
  MissingParameter: 'InvalidArgument',
  InvalidJWT: 'InvalidToken',
  ResourceLocked: 'SlowDown',
  LockTimeout: 'SlowDown',
  DatabaseReadOnly: 'ServiceUnavailable',
  DatabaseTimeout: 'ServiceUnavailable',
  DatabaseUnavailable: 'ServiceUnavailable',
}
const isCode = (code: string): code is S3Code => Object.hasOwn(statuses, code)

/** What went wrong, in the words of this protocol. */
export function s3ErrorOf(error: unknown): S3Error {
  if (error instanceof S3Error) return error
  if (error instanceof StorageError) {
    const code = renamed[error.code] ?? error.code
    return new S3Error(isCode(code) ? code : 'InvalidRequest', error.message)
  }
  if (error instanceof NoBytesError) return new S3Error('NoSuchKey', 'Object not found')
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : 500
  // The framework's own: a form that is none, a length that does not agree.
  if (error instanceof Error && typeof status === 'number' && status >= 400 && status < 500)
    return new S3Error('InvalidRequest', error.message)
  return new S3Error('InternalError', 'Something went wrong on our side')
}
