import { DatabaseError } from 'pg'
import type { ErrorCode } from '#contract/errors'
import { ApiError } from '#kit/errors'
import { isLostConnection } from '#kit/postgres/lost-connection'
import { OversizeError } from '#kit/postgres/message-watch'
import { FailedSql, sqlError } from './sql-errors.ts'

/** An answer in the shape of the postgres-meta API: the text under `message` and, for its older clients, `error`. */
export type Failure = { status: number; body: Record<string, unknown>; retryAfter?: number }

/** A refusal with more to say than code and message. */
export class DetailedError extends ApiError {
  readonly details: Record<string, unknown>

  constructor(code: ErrorCode, message: string, details: Record<string, unknown>) {
    super(code, message)
    this.details = details
  }
}

/** What was asked for is more than one answer can carry; the code is that of the public metadata API. */
export const tooLarge = (message: string) =>
  new DetailedError('query_failed', message, {
    code: 'RESULT_SIZE_EXCEEDED',
    formattedError: `ERROR:  ${message}\n`,
  })

/** SQLSTATEs that speak of the server and not of what was asked. */
const ofServer: Record<string, ErrorCode> = {
  '53300': 'project_unreachable',
  '57P01': 'project_unreachable',
  '57P02': 'project_unreachable',
  '57P03': 'project_unreachable',
  '28P01': 'project_unreachable',
  '28000': 'project_unreachable',
  '3D000': 'project_unreachable',
  '57014': 'query_timeout',
}

/** Undefined: a bug of ours, not a failure that we know. */
export function failureOf(error: unknown): Failure | undefined {
  if (error instanceof DetailedError) return refused(error, error.details)
  if (error instanceof ApiError) return refused(error)
  if (error instanceof FailedSql)
    return failed(error.sql, { ...sourceOf(error.cause), ...error.more })
  if (error instanceof DatabaseError) {
    const code = ofServer[error.code ?? '']
    return code ? refused(new ApiError(code)) : failed(sqlError(error), sourceOf(error))
  }
  if (error instanceof OversizeError) return failureOf(tooLarge(error.message))
  if (!(error instanceof Error)) return undefined
  // The driver gives these no code of their own.
  if (
    /timeout exceeded when trying to connect|timeout expired|connection timeout/.test(error.message)
  ) {
    return refused(new ApiError('upstream_timeout'))
  }
  return isLostConnection(error) ? refused(new ApiError('project_unreachable')) : undefined
}

function refused(error: ApiError, details: Record<string, unknown> = {}): Failure {
  const { code, message, status, retryAfter } = error
  return {
    status,
    body: { message, error: message, code, ...details },
    ...(retryAfter === undefined ? {} : { retryAfter }),
  }
}

const failed = (sql: ReturnType<typeof sqlError>, more: Record<string, unknown> = {}): Failure => ({
  status: 400,
  body: { ...sql, error: sql.formattedError, name: 'error', ...more },
})

/** Where in the server's own source it was raised, which the public metadata API tells. */
function sourceOf(error: unknown): Record<string, unknown> {
  if (!(error instanceof DatabaseError)) return {}
  const { length, file, line, routine } = error
  return { length, file, line, routine }
}
