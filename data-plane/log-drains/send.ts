import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { AllowedNetworks } from '#kit/config/config-networks'
import { createSafeFetch, RefusedFetch, type SafeFetch } from '#kit/network/safe-fetch'
import type { DrainRequest } from './drain-event.ts'

export type Sent = {
  ok: boolean
  /** Of the answer; null when there was none. */
  status: number | null
  /** What the other side said, or why nothing was heard of it. Without secrets. */
  detail: string
  /** Milliseconds that the other side wants to be left alone. */
  retryAfterMs?: number
  /** Of the body as it went. */
  bytes: number
}
export type Send = (request: DrainRequest, signal: AbortSignal) => Promise<Sent>

const compress = promisify(gzip)
/** Characters of what is said of a failure. */
const longestDetail = 500

type Options = {
  /** For tests: destinations may be on this machine. */
  reachesLoopback: boolean
  /** Of the inner network; nothing of it unless told. */
  allowed?: AllowedNetworks | undefined
  timeoutMs: number
}

/** Sends to addresses that strangers name: only those they may reach, and no redirect is followed. It never fails. */
export function createSend({ reachesLoopback, allowed, timeoutMs }: Options): Send {
  const how = { allowLoopback: reachesLoopback, allowed, timeoutMs, redirects: 0 }
  const fetches: { http1: SafeFetch; http2: SafeFetch } = {
    http1: createSafeFetch(how),
    http2: createSafeFetch({ ...how, http2: true }),
  }
  return async (request, signal) => {
    const body = await bodyOf(request)
    const headers = {
      ...request.headers,
      ...(request.gzip === true && { 'content-encoding': 'gzip' }),
      ...request.sign?.(body),
    }
    const secrets = secretsOf(headers)
    try {
      const response = await fetches[request.http2 ? 'http2' : 'http1'](request.url, {
        method: request.method,
        headers,
        body,
        signal,
      })
      const text = (await response.text()).slice(0, 4 * longestDetail)
      const wait = retryAfter(response.headers.get('retry-after'))
      return {
        ok: response.ok,
        status: response.status,
        detail: plain(`${response.status} ${text}`.trim(), secrets),
        ...(wait !== undefined && { retryAfterMs: wait }),
        bytes: body.byteLength,
      }
    } catch (error) {
      const detail = plain(reasonOf(error, timeoutMs), secrets)
      return { ok: false, status: null, detail, bytes: body.byteLength }
    }
  }
}

async function bodyOf({ body, gzip: packed }: DrainRequest): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  return packed ? compress(bytes) : bytes
}

/** Seconds, or a date of HTTP. */
function retryAfter(header: string | null): number | undefined {
  if (header === null) return undefined
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0)
}

function reasonOf(error: unknown, timeoutMs: number): string {
  if (error instanceof RefusedFetch) return error.message
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return `No answer within ${timeoutMs / 1000} seconds`
  // Why there was no connection stands below what says that there was none.
  let cause = error
  while (cause.cause instanceof Error) cause = cause.cause
  const { code } = cause as NodeJS.ErrnoException // what the network says has one
  return cause.message || (code ?? error.message)
}

/** What stands beside secrets in our headers, and is none. */
const words = new Set([
  'Basic',
  'Bearer',
  'AWS4-HMAC-SHA256',
  'Credential',
  'SignedHeaders',
  'Signature',
  'Sentry',
  'sentry_version',
  'sentry_client',
  'sentry_key',
])

/** Whoever we ask may say our own headers again, and what they say is shown to who may not see them. */
const secretsOf = (headers: Record<string, string>): string[] =>
  Object.entries(headers)
    .filter(([name]) => !/^(?:content-|x-amz-)/.test(name))
    .flatMap(([, value]) => [value, passwordOf(value)])
    .flatMap((value) => [
      ...(value.length >= 4 ? [value] : []),
      ...value.split(/[\s,=/]+/).filter((part) => part.length >= 6 && !words.has(part)),
    ])
    .toSorted((a, b) => b.length - a.length)

/** Of basic authentication, where it stands encoded. */
const passwordOf = (header: string): string =>
  header.startsWith('Basic ')
    ? Buffer.from(header.slice(6), 'base64').toString().split(':').slice(1).join(':')
    : ''

function plain(text: string, secrets: readonly string[]): string {
  let said = text
  for (const secret of secrets) said = said.replaceAll(secret, '[redacted]')
  return said
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, longestDetail)
}
