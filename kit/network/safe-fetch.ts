import { lookup as resolve } from 'node:dns'
import type { LookupFunction } from 'node:net'
import type { RequestInit as ReachInit } from 'undici'
import { isReachable, notPublic, refusalOf, type Reach } from './reach.ts'

export type SafeFetch = (url: string, init?: RequestInit) => Promise<Response>

/** The address may not be asked, or what it answered is too much. The message is fit for whoever named the address. */
export class RefusedFetch extends Error {}

type Options = Reach & {
  timeoutMs?: number
  largestBytes?: number
  redirects?: number
  /** HTTP/2 where the other side speaks it too. */
  http2?: boolean
}

/**
 * A fetch for addresses that strangers name. It speaks https to public addresses only: names are resolved once, every
 * address they have is checked, and the connection goes to exactly these. Redirects are checked like first addresses;
 * time and size are limited. The answer is read in full.
 * @throws RefusedFetch for what it does not do, other errors for a server that does not answer.
 */
export function createSafeFetch(options: Options = {}): SafeFetch {
  const { timeoutMs = 10_000, largestBytes = 1024 * 1024 } = options
  const { redirects = 3, http2 = false } = options
  const lookup: LookupFunction = (hostname, how, done) => {
    resolve(
      hostname,
      { all: true, verbatim: true, family: how.family ?? 0 },
      (error, addresses) => {
        if (error) return done(error, [])
        const refusal = addresses.find(({ address }) => !isReachable(address, hostname, options))
        if (refusal) return done(new RefusedFetch(notPublic(hostname)), [])
        const [first] = addresses
        return how.all || !first ? done(null, addresses) : done(null, first.address, first.family)
      },
    )
  }
  // Large, and most programs ask nobody while they start.
  const load = async () => {
    const { Agent, fetch: reach } = await import('undici')
    const connect = { lookup, timeout: timeoutMs }
    return { reach, dispatcher: new Agent({ connect, allowH2: http2 }) }
  }
  let loading: ReturnType<typeof load> | undefined

  function check(url: URL): void {
    const refusal = refusalOf(url, options)
    if (refusal !== undefined) throw new RefusedFetch(refusal)
  }

  return async (address, init = {}) => {
    if (!URL.canParse(address)) throw new RefusedFetch('This is not an address')
    const expiry = AbortSignal.timeout(timeoutMs)
    const signal = init.signal ? AbortSignal.any([expiry, init.signal]) : expiry
    let url = new URL(address)
    let headers = new Headers(init.headers)
    const { reach, dispatcher } = await (loading ??= load())
    for (let hop = 0; hop <= redirects; hop += 1) {
      check(url)
      // Both are the fetch of the standard; the types of the two differ in what they call a body.
      const request = {
        ...init,
        headers,
        redirect: 'manual',
        signal,
        dispatcher,
      } as unknown as ReachInit
      const response = await reach(url, request).catch((error: unknown) => {
        throw refusalIn(error) ?? error
      })
      const location = response.headers.get('location')
      const follows = init.redirect === undefined || init.redirect === 'follow'
      if (!follows || !location || response.status < 300 || response.status > 399) {
        const body = await readAll(response.body, largestBytes)
        const answered = [...response.headers].filter(([name]) => name !== 'content-encoding')
        const empty = [101, 204, 205, 304].includes(response.status)
        return new Response(empty ? null : body, { status: response.status, headers: answered })
      }
      await response.body?.cancel()
      if (init.method !== undefined && init.method !== 'GET') {
        throw new RefusedFetch('The address redirects, which is only followed when reading')
      }
      const next = new URL(location, url)
      // What was meant for one server is not shown to another one, as the standard has it.
      if (next.origin !== url.origin) headers = withoutCredentials(headers)
      url = next
    }
    throw new RefusedFetch('The address redirects too often')
  }
}

function withoutCredentials(headers: Headers): Headers {
  const kept = new Headers(headers)
  for (const name of ['authorization', 'cookie', 'proxy-authorization']) kept.delete(name)
  return kept
}

/** fetch wraps what went wrong while connecting. */
function refusalIn(error: unknown): RefusedFetch | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof RefusedFetch) return cause
  }
  return undefined
}

async function readAll(
  body: AsyncIterable<Uint8Array> | null,
  largest: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body ?? []) {
    size += part.byteLength
    if (size > largest) throw new RefusedFetch(`The answer is larger than ${largest} bytes`)
    parts.push(part)
  }
  return new Uint8Array(Buffer.concat(parts))
}
