import { RefusedFetch, type SafeFetch } from '#kit/network/safe-fetch'
import type { Call, Outcome } from './queue-store.ts'

/** Where a project's own functions are, for calls that go no further than this process. */
export type OwnFunctions = {
  /** As people know it. */
  prefix: string
  /** As this machine reaches it. */
  address: string
}

const largestContent = 1024 * 1024

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
  const { id, method, timeout } = call
  const none = { id, status_code: null, content_type: null, headers: null, content: null }
  const expiry = AbortSignal.timeout(timeout)
  try {
    const init: RequestInit = {
      method,
      headers: headersOf(call),
      redirect: 'manual',
      signal: AbortSignal.any([expiry, signal]),
      ...(call.body !== null && method !== 'GET' ? { body: call.body } : {}),
    }
    // As it is meant once its dots are resolved.
    const url = URL.canParse(call.url) ? new URL(call.url).href : call.url
    const response =
      own && url.startsWith(own.prefix)
        ? await fetch(own.address + url.slice(own.prefix.length), init)
        : await fetchOutside(url, init)
    return {
      id,
      status_code: response.status,
      content_type: response.headers.get('content-type'),
      headers: Object.fromEntries(response.headers),
      content: storable(await beginningOf(response)),
      timed_out: false,
      error_msg: null,
    }
  } catch (error) {
    if (expiry.aborted)
      return { ...none, timed_out: true, error_msg: `Timeout of ${timeout} ms reached` }
    return { ...none, timed_out: false, error_msg: wordsOf(error) }
  }
}

/** Values of JSON as the texts that headers are. */
const headersOf = ({ headers }: Call): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
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
