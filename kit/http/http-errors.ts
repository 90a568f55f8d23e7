import type { FastifyError, FastifyInstance } from 'fastify'
import type { ErrorBody, ErrorCode } from '#contract/errors'
import { ApiError } from '../errors.ts'
import { isLostConnection } from '../postgres/lost-connection.ts'

/** Fastify's own refusals, in our words. */
const known: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_input',
  FST_ERR_CTP_INVALID_JSON_BODY: 'bad_json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'bad_json',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
}

/** The server ends, has crashed, or has only begun to start (appendix A of Postgres's documentation). */
const notServing = new Set(['57P01', '57P02', '57P03'])
/** Postgres found no space on its disk. */
const diskFull = '53100'

/** Our own database is away for a moment: it is started again (start/platform/platform-cluster.ts), and whoever asks can ask again. */
function isDatabaseAway(error: Error): boolean {
  if ('code' in error && notServing.has(String(error.code))) return true
  // A file that is not there has the same code as a socket that is not.
  const isOfFile = 'syscall' in error && !/^(?:connect|read|write)$/.test(String(error.syscall))
  return isLostConnection(error) && !isOfFile
}

function toApiError(error: FastifyError | Error): ApiError | undefined {
  if (error instanceof ApiError) return error
  const code = 'code' in error ? known[String(error.code)] : undefined
  if (code) return new ApiError(code)
  if ('code' in error && error.code === diskFull) return new ApiError('disk_full')
  if (isDatabaseAway(error)) return new ApiError('service_unavailable', undefined, 1)
  const status = 'statusCode' in error ? Number(error.statusCode) : 500
  return status >= 400 && status < 500 ? new ApiError('invalid_input', error.message) : undefined
}

/** Every failure leaves as `{message, code, requestId}`. What is not an ApiError is a bug: logged once, told as internal. */
export function addErrorHandling(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const expected = toApiError(error)
    if (!expected) request.log.error({ err: error }, 'request failed')
    else if (expected !== error && expected.status >= 500)
      request.log.warn({ err: error }, 'request failed')
    const shown = expected ?? new ApiError('internal')
    const body: ErrorBody = {
      message: shown.message,
      code: shown.code,
      requestId: request.id,
      ...(shown.organizationSlug ? { organization: shown.organizationSlug } : {}),
    }
    if (shown.retryAfter) void reply.header('retry-after', String(shown.retryAfter))
    return reply.status(shown.status).type('application/json; charset=utf-8').send(body)
  })
  app.setNotFoundHandler(() => {
    throw new ApiError('not_found')
  })
}
