import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { RefusedFetch, type SafeFetch } from '#kit/network/safe-fetch'
import { AuthError } from '../errors.ts'
import { objectIn, refusalIn } from './hook-answer.ts'

const attempts = 3
/** `limitMs` is for all attempts together, `pauseMs` before the next one when the address does not say how long to wait. */
export type HookTimeouts = { limitMs: number; pauseMs: number }
export const hookTimeouts: HookTimeouts = { limitMs: 5_000, pauseMs: 500 }
/** Bytes of an answer. */
const largestAnswer = 20 * 1024

type Address = { url: string; secrets: readonly string[] }

/**
 * Asks a hook at an address, signed as Standard Webhooks say, and gives the text of its answer. An address that does
 * not answer, or asks to come again, is asked up to three times, until nobody waits any longer.
 */
export async function askAddress(
  fetch: SafeFetch,
  { url, secrets }: Address,
  body: string,
  at: Date,
  { limitMs, pauseMs }: HookTimeouts,
): Promise<string> {
  const until = performance.now() + limitMs
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await once()
    if (!('waitMs' in outcome)) return read(outcome)
    const left = until - performance.now()
    if (left <= 0) throw tooLate(outcome.cause)
    if (attempt === attempts || outcome.waitMs >= left) {
      const message = 'Failed to reach hook after maximum retries'
      throw new AuthError('hook_timeout_after_retry', message, { cause: outcome.cause })
    }
    await delay(outcome.waitMs)
  }

  function tooLate(cause: unknown) {
    const message = `Failed to reach hook within maximum time of ${limitMs / 1000} seconds`
    return new AuthError('hook_timeout', message, { cause })
  }

  /** Seconds as a number are waited for; anything else only says that coming again makes sense. */
  function waitOf(header: string | null): number {
    const seconds = Number(header)
    return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : pauseMs
  }

  async function once(): Promise<Response | { waitMs: number; cause: unknown }> {
    const headers = { ...signed(secrets, body, at), 'content-type': 'application/json' }
    const signal = AbortSignal.timeout(Math.max(1, Math.ceil(until - performance.now())))
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...headers, accept: 'application/json' },
        body,
        redirect: 'manual',
        signal,
      })
      const wait = response.headers.get('retry-after')
      const comesAgain = (response.status === 429 || response.status === 503) && Boolean(wait)
      return comesAgain ? { waitMs: waitOf(wait), cause: statusOf(response) } : response
    } catch (cause) {
      if (signal.aborted) throw tooLate(cause)
      // What is wrong with an address is for the log: people who sign in cannot mend it.
      if (cause instanceof RefusedFetch) {
        throw new AuthError('hook_failed', 'The hook could not be called', { cause })
      }
      return { waitMs: pauseMs, cause }
    }
  }
}

const statusOf = ({ status }: Response) => new Error(`status ${status}`)

/** A signature of id, time and body by each secret: an old request, or another body, does not fit. */
function signed(secrets: readonly string[], body: string, at: Date): Record<string, string> {
  const id = randomUUID()
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signatures = secrets.map((secret) => {
    const mac = createHmac('sha256', Buffer.from(secret, 'base64'))
    return `v1,${mac.update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}

async function read(response: Response): Promise<string> {
  const text = await response.text()
  if (Buffer.byteLength(text) > largestAnswer) {
    const message = `Payload size exceeded size limit of ${largestAnswer} bytes`
    throw new AuthError('hook_payload_over_size_limit', message)
  }
  if (![200, 202, 204].includes(response.status)) {
    // Many refuse by status and say why in the body.
    throw refusalIn(objectIn(text)) ?? failed(response)
  }
  if (response.status === 204 || text === '') return ''
  const type = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') {
    const message = `Invalid JSON response. Received content-type: ${type ?? 'none'}`
    throw new AuthError('hook_payload_invalid_content_type', message)
  }
  return text
}

const failed = (response: Response) =>
  new AuthError('hook_failed', `Unexpected status code returned from hook: ${response.status}`)
