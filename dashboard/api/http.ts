import { CallError, texts } from './call-error.ts'
import { parseRetryAfter } from './retry.ts'

type Token = () => Promise<string | undefined>
let token: Token = () => Promise.resolve(undefined)

/** Who is signed in is known to the session, which tells it here. */
export const takeTokenFrom = (source: Token) => {
  token = source
}

export type Sent = {
  method: string
  path: string
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
}

/** One request, with everything every call carries (requirements §7). Throws a CallError for whatever is not an answer of 200-299. */
export async function send({ method, path, body, headers, signal }: Sent): Promise<Response> {
  const bearer = await token()
  const requestId = crypto.randomUUID()
  const request: RequestInit = {
    method,
    credentials: 'include',
    headers: {
      accept: 'application/json',
      version: '2',
      'x-request-id': requestId,
      ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(path.startsWith('/platform/pg-meta/')
        ? { 'x-pg-application-name': 'plinth-dashboard' }
        : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  }
  const response = await fetch(path, request).catch((error: unknown) => {
    if (signal?.aborted) throw error
    throw new CallError(texts.network, { code: 0, requestId })
  })
  if (response.ok) return response
  throw await failure(response, requestId)
}

/** HEAD, given up after 60 s unless told. */
export const head = (
  path: string,
  { timeout = 60_000, ...rest }: { timeout?: number; headers?: Record<string, string> } = {},
) => send({ method: 'HEAD', path, signal: AbortSignal.timeout(timeout), ...rest })

/** An answer that is an error, as what is thrown. */
export async function failure(response: Response, requestId: string): Promise<CallError> {
  const body: unknown = await response.json().catch(() => undefined)
  const said = isRecord(body) ? body : {}
  const message = [said.message, said.msg, said.error_description].find(
    (text) => typeof text === 'string' && text,
  )
  return new CallError(
    typeof message === 'string'
      ? message
      : isRecord(body)
        ? texts.api
        : texts.fallback(response.status),
    {
      code: response.status,
      reason: typeof said.code === 'string' ? said.code : undefined,
      requestId: response.headers.get('x-request-id') ?? requestId,
      retryAfter: parseRetryAfter(response.headers.get('retry-after'), Date.now()),
    },
  )
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
