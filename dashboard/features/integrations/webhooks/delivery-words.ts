import {
  hookLimits,
  type Delivery,
  type DeliveryAttempt,
  type DeliveryState,
} from '#contract/integrations/webhook-calls'
import { numberText } from '../../../ui/text/number.ts'
import type { Tone } from '../../../ui/text/Badge.tsx'

export const stateWords: Record<DeliveryState, string> = {
  waiting: 'Waiting',
  delivered: 'Delivered',
  dead: 'Dead letter',
}

/** Where a call is on its way, in a word. */
export function stateOf({ state, attempts }: Pick<Delivery, 'state' | 'attempts'>): {
  tone: Tone
  word: string
} {
  if (state === 'delivered') return { tone: 'success', word: stateWords.delivered }
  if (state === 'dead') return { tone: 'danger', word: stateWords.dead }
  return attempts > 0
    ? { tone: 'warning', word: 'Retrying' }
    : { tone: 'info', word: stateWords.waiting }
}

type Answered = Pick<DeliveryAttempt, 'status_code' | 'timed_out' | 'error_msg'>

/** What an attempt came to, in a word or a status. */
export function outcomeOf({ status_code: status, timed_out }: Answered): {
  tone: Tone
  word: string
} {
  if (status === null) return { tone: 'danger', word: timed_out ? 'Timed out' : 'Failed' }
  if (status < 300) return { tone: 'success', word: String(status) }
  return { tone: status < 400 ? 'warning' : 'danger', word: String(status) }
}

/** The share of calls that failed, in whole per cent; some that failed are never none. */
export function failureRate({ ended, failed }: { ended: number; failed: number }): string {
  if (ended === 0) return '–'
  const share = (failed / ended) * 100
  return failed > 0 && share < 1 ? '< 1%' : `${Math.round(share)}%`
}

/** A number of calls of a state, which are not counted any further than to a limit. */
export const countedWords = (count: number): string =>
  count < hookLimits.counted ? numberText(count) : `${numberText(hookLimits.counted)}+`

/** Names of headers whose values are kept from the screen. */
export const isSecretHeader = (name: string): boolean =>
  /^(?:proxy-)?authorization$|cookie|key|token|secret/i.test(name.trim())

/** JSON as it is easy to read, and anything else as it is. */
export function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
