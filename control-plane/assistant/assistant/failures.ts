import { APICallError } from 'ai'
import { ApiError } from '#kit/errors'
import type { Log } from '#kit/log'
import { redact } from './redact.ts'

/** A failure of the model's provider in our own words. What it said goes to the log, without the platform's key. */
export function failureOf(error: unknown, apiKey: string | undefined, log: Log): ApiError {
  if (error instanceof ApiError) return error
  const status = APICallError.isInstance(error) ? error.statusCode : undefined
  const message = error instanceof Error ? error.message : String(error)
  const safe = redact(apiKey ? message.replaceAll(apiKey, '[removed key]') : message)
  log.warn({ status, answer: safe.slice(0, 300) }, 'the model did not answer')
  if (status === 401 || status === 403) return new ApiError('ai_refused')
  if (status === 404) return new ApiError('ai_model_unknown')
  if (status === 429) return new ApiError('ai_busy', undefined, retryAfter(error))
  if (status === 400 || status === 413 || status === 422) return new ApiError('ai_rejected')
  if (status === 408 || status === 504) return new ApiError('ai_timeout')
  return new ApiError('ai_unavailable')
}

function retryAfter(error: unknown): number {
  const header = APICallError.isInstance(error) ? error.responseHeaders?.['retry-after'] : undefined
  const seconds = Math.ceil(Number(header))
  return seconds > 0 && seconds <= 3600 ? seconds : 20
}
