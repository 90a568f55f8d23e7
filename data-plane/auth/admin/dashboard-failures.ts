import type { FastifyRequest } from 'fastify'
import type { ErrorCode } from '#contract/errors'
import { ApiError } from '#kit/errors'
import { OversizeError } from '#kit/postgres/message-watch'
import { AuthError } from '../errors.ts'
import { sqlState } from '../store.ts'

type Failure = {
  status: number
  body: { code: string; message: string }
  retryAfter: number | undefined
}

/** Refusals of the auth service in the words of the platform API; what nobody foresaw is logged. */
export function dashboardFailure(error: unknown, request: FastifyRequest): Failure {
  const known = refusalOf(error)
  if (!known) request.log.error({ err: error, requestId: request.id }, 'request failed')
  const { status, code, message, retryAfter } = known ?? new ApiError('internal')
  return { status, body: { code, message }, retryAfter }
}

function refusalOf(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error
  if (error instanceof AuthError) {
    const code = codeOf(error)
    return code === undefined ? undefined : new ApiError(code, error.message, error.retryAfter)
  }
  if (error instanceof OversizeError) return new ApiError('query_failed', error.message)
  const state = sqlState(error) ?? ''
  if (state === '57014') return new ApiError('query_timeout', tookTooLong)
  if (state.startsWith('22')) return new ApiError('invalid_input')
  if (/^(08|53|57P|28|3D)/.test(state) || networkStates.has(state)) {
    return new ApiError('project_unreachable')
  }
  if (!(error instanceof Error)) return undefined
  if (/Connection terminated|timeout exceeded|not queryable/.test(error.message)) {
    return new ApiError('project_unreachable')
  }
  if (!('statusCode' in error) || Number(error.statusCode) >= 500) return undefined
  return new ApiError(error.statusCode === 413 ? 'body_too_large' : 'invalid_input', error.message)
}

const tookTooLong =
  'This took too long and was stopped. A search for beginnings is quick however many users there are'

const networkStates = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT'])

function codeOf({ code, status }: AuthError): ErrorCode | undefined {
  if (code === 'user_not_found') return 'auth_user_not_found'
  if (code === 'weak_password') return 'weak_password'
  if (code.endsWith('_exists') || status === 409) return 'conflict'
  if (status === 429) return 'rate_limited'
  if (status === 404) return 'not_found'
  if (status === 503) return 'service_unavailable'
  return status < 500 ? 'invalid_input' : undefined
}
