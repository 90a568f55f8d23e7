import { RefusedFetch, type SafeFetch } from '#kit/network/safe-fetch'

/** One request, as a database asks for it. */
export type Call = {
  method: string
  url: string
  headers: Record<string, unknown>
  body: string | Buffer | null
  /** Milliseconds that an answer is waited for. */
  timeout: number
}

/** What became of a call: an answer, or why there is none. */
export type Outcome = {
  status_code: number | null
  content_type: string | null
  headers: Record<string, string> | null
  content: string | null
  timed_out: boolean
  error_msg: string | null
  /** It was not made, because such an address is not called. */
  refused: boolean
}

/** Where a project's own functions are, for calls that go no further than this process. */
export type OwnFunctions = {
  /** As people know it. */
  prefix: string
  /** As this machine reaches it. */
  address: string
}

const largestContent = 1024 * 1024
const longestTimeoutMs = 30_000

const noAnswer: Outcome = {
  status_code: null,
  content_type: null,
  headers: null,
  content: null,
  timed_out: false,
  error_msg: null,
  refused: false,
}

type With = {
  /** For addresses that strangers name. */
  fetch: SafeFetch
  own: OwnFunctions | undefined
  /** Ends it before it has its answer. */
  signal: AbortSignal
}

/** Makes a call and says what became of it; it never fails. Redirects are answers like others. */
export async function makeCall(
  call: Call,
  { fetch: fetchOutside, own, signal }: With,
): Promise<Outcome> {
  const { method, body } = call
  const timeout = Math.max(1, Math.min(longestTimeoutMs, Math.trunc(call.timeout) || 1))
  const expiry = AbortSignal.timeout(timeout)
  try {
    const init: RequestInit = {
      method,
      headers: headersOf(call),
      redirect: 'manual',
      signal: AbortSignal.any([expiry, signal]),
      ...(body !== null && method.toUpperCase() !== 'GET' ? { body: bytesOf(body) } : {}),
    }
    // As it is meant once its dots are resolved.
    const url = URL.canParse(call.url) ? new URL(call.url).href : call.url
    const response =
      own && url.startsWith(own.prefix)
        ? await fetch(own.address + url.slice(own.prefix.length), init)
        : await fetchOutside(url, init)
    return {
      ...noAnswer,
      status_code: response.status,
      content_type: response.headers.get('content-type'),
      headers: Object.fromEntries(response.headers),
      content: storable(await beginningOf(response)),
    }
  } catch (error) {
    if (expiry.aborted)
      return { ...noAnswer, timed_out: true, error_msg: `Timeout of ${timeout} ms reached` }
    return { ...noAnswer, error_msg: wordsOf(error), refused: error instanceof RefusedFetch }
  }
}

const bytesOf = (body: string | Buffer) => (typeof body === 'string' ? body : new Uint8Array(body))

/** Nobody has answered, for a reason. */
export const failed = (error_msg: string): Outcome => ({ ...noAnswer, error_msg })

/**
 * What a connection and its address say, which is not for a row of a database to say: whose project a request is for, how long its
 * body is, and from where it came.
 */
const notOurs =
  /^(?:host|connection|keep-alive|upgrade|te|trailer|transfer-encoding|content-length|expect|forwarded|via|x-real-ip|x-forwarded-.*|proxy-.*)$/i

/** Values of JSON as the texts that headers are. */
const headersOf = ({ headers }: Call): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !notOurs.test(name.trim()))
      .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  )

async function beginningOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  if (!body) return text
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > largestContent) break
  }
  return text.slice(0, largestContent)
}

/** A database keeps no NUL in a text. */
const storable = (content: string) => content.replaceAll('\0', '')

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof RefusedFetch) return error.message
  // What kept a connection from being made stands below what says that there was none.
  const cause = error.cause instanceof Error ? error.cause.message : ''
  return storable(cause || error.message)
}
