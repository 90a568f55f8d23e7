import { Agent, fetch } from 'undici'

/** An authority that could not be asked, or said no. The message is fit for the owner of the name. */
export class AcmeError extends Error {
  /** Milliseconds that it asks to wait. */
  readonly retryAfterMs: number
  constructor(message: string, retryAfterMs = 0, cause?: unknown) {
    super(message, { cause })
    this.retryAfterMs = retryAfterMs
  }
}

const timeoutMs = 30_000
const largestAnswer = 1_000_000

/** What the library hands over, as far as it matters here. */
type Asked = { url?: string; method?: string; data?: unknown; headers: object }
type Options = {
  /** Certificates (PEM) that are trusted in place of the usual ones: a private authority signs its own server. */
  ca?: string | undefined
  signal: AbortSignal
}

/** Seconds, or a date (RFC 9110, section 10.2.3), as milliseconds from now. */
export function patienceIn(header: string | null, now = Date.now()): number {
  if (header === null) return 0
  const until = /^\d{1,9}$/.test(header) ? now + Number(header) * 1000 : Date.parse(header)
  return Number.isNaN(until) ? 0 : Math.max(0, until - now)
}

/** One line of what somebody else's server says, short enough to be shown. */
export const quoted = (text: string): string =>
  text
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, 300)

const reasonOf = (body: unknown): string =>
  typeof body === 'object' && body !== null && 'detail' in body ? quoted(String(body.detail)) : ''

async function textOf(body: AsyncIterable<Uint8Array> | null): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body ?? []) {
    size += part.byteLength
    if (size > largestAnswer) throw new AcmeError('The certificate authority answers too much')
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/**
 * How the library reaches an authority, in place of its own way: that one sleeps as long as a server says and asks again, while whoever
 * ordered is to know and to come back later.
 */
export function acmeTransport({ ca, signal }: Options) {
  const connect = ca === undefined ? {} : { connect: { ca } }
  const dispatcher = new Agent(connect)

  async function ask({ url = '', method = 'get', data, headers }: Asked) {
    const given = Object.entries({ ...headers }).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    )
    try {
      const response = await fetch(url, {
        method: method.toUpperCase(),
        headers: given,
        body: typeof data === 'string' ? data : null,
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        dispatcher,
      })
      return { response, text: await textOf(response.body) }
    } catch (error) {
      if (error instanceof AcmeError) throw error
      throw new AcmeError('The certificate authority cannot be reached', 0, error)
    }
  }

  return {
    /** For `adapter` of the library's HTTP client. */
    async adapter<C extends Asked>(config: C) {
      const { response, text } = await ask(config)
      const { status, statusText } = response
      const data = parsed(text)
      if (status === 429 || status >= 500) {
        const why = reasonOf(data) || `it answered ${status}`
        throw new AcmeError(
          `The certificate authority asks to wait: ${why}`,
          patienceIn(response.headers.get('retry-after')),
        )
      }
      return { data, status, statusText, headers: Object.fromEntries(response.headers), config }
    },
    close: () => dispatcher.destroy(),
  }
}
