import { CallError, texts } from './call-error.ts'
import { takeEarly } from './early.ts'
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
  /** The browser finishes the request even when the window closes. */
  keepalive?: boolean
}

/** One request, with everything every call carries (requirements §7). Throws a CallError for whatever is not an answer of 200-299. */
export async function send({
  method,
  path,
  body,
  headers,
  signal,
  keepalive,
}: Sent): Promise<Response> {
  const aboutDatabase = path.startsWith('/platform/pg-meta/')
  // Without the marker of its connection it would fail there (requirements §5).
  if (aboutDatabase && !headers?.['x-connection-encrypted'])
    throw new CallError(texts.connection, { code: 400, reason: 'missing_connection' })
  const bearer = await token()
  const early = method === 'GET' && !headers ? takeEarly(path, bearer) : undefined
  const requestId = early?.id ?? crypto.randomUUID()
  const request: RequestInit = {
    method,
    credentials: 'include',
    headers: {
      accept: 'application/json',
      version: '2',
      'x-request-id': requestId,
      ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(aboutDatabase ? { 'x-pg-application-name': 'plinth-dashboard' } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
    ...(keepalive ? { keepalive } : {}),
  }
  const response = await (early?.answer ?? fetch(path, request)).catch((error: unknown) => {
    if (signal?.aborted) throw error
    throw new CallError(texts.network, { code: 0, requestId })
  })
  if (response.ok) return response
  throw await failure(response, requestId)
}

type Helping = { timeout?: number; headers?: Record<string, string> }

/** HEAD, given up after 60 s unless told. */
export const head = (path: string, { timeout, ...rest }: Helping = {}): Promise<Response> =>
  within(timeout, (signal) => send({ method: 'HEAD', path, signal, ...rest }))

/** POST of a JSON body, answered in JSON; given up after 60 s unless told. */
export const postJson = (
  path: string,
  body: unknown,
  { timeout, ...rest }: Helping = {},
): Promise<unknown> =>
  within(timeout, async (signal) => {
    const response = await send({ method: 'POST', path, body, signal, ...rest })
    return response.status === 204 ? undefined : response.json()
  })

/** Gives up work that takes longer, as if the server had not been reached. */
async function within<T>(ms = 60_000, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(new CallError(texts.network, { code: 0 })), ms)
  try {
    return await work(stop.signal)
  } finally {
    clearTimeout(timer)
  }
}

/** An answer that is an error, as what is thrown. */
export async function failure(response: Response, requestId: string): Promise<CallError> {
  const body: unknown = await response.json().catch(() => undefined)
  const fields = isRecord(body) ? body : {}
  const message = [fields.message, fields.msg, fields.error_description].find(
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
      reason: typeof fields.code === 'string' ? fields.code : undefined,
      organization: typeof fields.organization === 'string' ? fields.organization : undefined,
      requestId: response.headers.get('x-request-id') ?? requestId,
      retryAfter: parseRetryAfter(response.headers.get('retry-after'), Date.now()),
      answer: fields,
    },
  )
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
