import { isLostConnection } from '#kit/postgres/lost-connection'
import { OversizeError } from '#kit/postgres/message-watch'
import { Problem } from './problem.ts'

/** The fields of an ErrorResponse of the server that are shown to clients. */
type DatabaseError = Error & {
  severity: unknown
  code: string
  detail?: string | undefined
  hint?: string | undefined
}

/** @returns what a client is told about a failed transaction; undefined when the failure is a bug of ours. */
export function databaseProblem(error: unknown, anonymous: boolean): Problem | undefined {
  if (!(error instanceof Error)) return undefined
  if (!isDatabaseError(error)) return connectionProblem(error)
  // The session could not start or has ended: nothing in the request is the reason.
  if (error.severity === 'FATAL' || error.severity === 'PANIC') return lost(error.message)
  if (error.code === 'PGRST') return raisedProblem(error)
  const status = statusOf(error, anonymous)
  const headers: Record<string, string> = status === 401 ? { 'www-authenticate': 'Bearer' } : {}
  return new Problem(status, error.code, shortened(error.message), {
    details: error.detail === undefined ? null : shortened(error.detail),
    hint: error.hint ?? null,
    headers,
  })
}

/** The server quotes values whole, however long: nobody reads that, and writing it down holds up other requests. */
const shortened = (text: string) => (text.length > 65_536 ? `${text.slice(0, 65_536)}…` : text)

const isDatabaseError = (error: Error): error is DatabaseError =>
  'severity' in error && 'code' in error && typeof error.code === 'string'

/** Statuses by SQLSTATE, longest prefix first (contract §8). */
const statuses: readonly (readonly [prefix: string, status: number])[] = [
  ['21000', 500],
  ['23503', 409],
  ['23505', 409],
  ['25006', 405],
  ['42883', 404],
  ['42P01', 404],
  ['42P17', 500],
  ['53400', 500],
  ['57P01', 503],
  ['P0001', 400],
  ['08', 503],
  ['09', 500],
  ['0L', 403],
  ['0P', 403],
  ['25', 500],
  ['28', 403],
  ['2D', 500],
  ['38', 500],
  ['39', 500],
  ['3B', 500],
  ['40', 500],
  ['53', 503],
  ['54', 500],
  ['55', 500],
  ['57', 500],
  ['58', 500],
  ['F0', 500],
  ['HV', 500],
  ['P0', 500],
  ['XX', 500],
]

function statusOf({ code, message }: DatabaseError, anonymous: boolean): number {
  if (code === '42501') return anonymous ? 401 : 403
  // The guard against forgotten conditions; what it refuses is the client's mistake.
  if (code === '21000' && message.includes('WHERE clause')) return 400
  // The role of a token does not exist.
  if (code === '22023' && message.startsWith('role ')) return 401
  if (code.startsWith('PT')) {
    const status = Number(code.slice(2))
    return Number.isInteger(status) && status >= 200 && status <= 599 ? status : 500
  }
  return statuses.find(([prefix]) => code.startsWith(prefix))?.[1] ?? 400
}

/** `RAISE SQLSTATE 'PGRST'`: the function says body, status and headers itself, as JSON in message and detail. */
function raisedProblem(error: DatabaseError): Problem {
  const body = parseObject(error.message)
  if (typeof body?.['code'] !== 'string' || typeof body['message'] !== 'string') {
    return unreadable(
      `Invalid JSON value for MESSAGE: '${error.message}'`,
      "MESSAGE must be a JSON object with obligatory keys: 'code', 'message'. Optional keys: 'details', 'hint'.",
    )
  }
  const hint =
    "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: 'status_text'."
  if (error.detail === undefined) {
    return unreadable('DETAIL is missing in the RAISE statement', hint)
  }
  const answer = parseObject(error.detail)
  const status = answer?.['status']
  const headers = answer && stringsOf(answer['headers'])
  const isStatus = typeof status === 'number' && Number.isInteger(status)
  if (!isStatus || status < 200 || status > 599 || !headers) {
    return unreadable(`Invalid JSON value for DETAIL: '${error.detail}'`, hint)
  }
  return new Problem(status, body['code'], body['message'], {
    details: body['details'] ?? null,
    hint: typeof body['hint'] === 'string' ? body['hint'] : null,
    headers,
  })
}

const unreadable = (details: string, hint: string) =>
  new Problem(500, 'PGRST121', 'Could not parse JSON in the "RAISE SQLSTATE \'PGRST\'" error', {
    details,
    hint,
  })

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    // A parsed JSON object has string keys only.
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

function stringsOf(value: unknown): Record<string, string> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const entries = Object.entries(value)
  return entries.every((entry): entry is [string, string] => typeof entry[1] === 'string')
    ? Object.fromEntries(entries)
    : undefined
}

function connectionProblem(error: Error): Problem | undefined {
  // What was asked for is too much; asking again would not help.
  if (error instanceof OversizeError) return new Problem(400, error.code, error.message)
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'pool_timeout') return new Problem(504, 'PGRST003', error.message)
  return isLostConnection(error) || code === 'pool_closed' ? lost(error.message) : undefined
}

const lost = (details: string) =>
  new Problem(503, 'PGRST001', 'Database client error. Retrying the connection.', {
    details,
    headers: { 'retry-after': '1' },
  })
