import { errors, type ErrorCode } from '#contract/errors'

/** The one error a handler throws on purpose. Anything else is a bug and becomes a 500. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  /** Seconds a client should wait before it tries again; becomes the Retry-After header. */
  readonly retryAfter: number | undefined
  /** The slug of the organization that asks for something first, so that a client can lead there. */
  readonly organizationSlug: string | undefined

  constructor(
    code: ErrorCode,
    message: string = errors[code].message,
    retryAfter?: number,
    organizationSlug?: string,
  ) {
    super(message)
    this.name = 'ApiError'
    this.code = code
    this.status = errors[code].status
    this.retryAfter = retryAfter
    this.organizationSlug = organizationSlug
  }
}
