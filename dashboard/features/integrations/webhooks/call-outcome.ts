import type { WebhookCall } from '#contract/integrations/webhooks'
import type { Tone } from '../../../ui/text/Badge.tsx'

type Answered = Pick<WebhookCall, 'status_code' | 'timed_out' | 'error_msg' | 'pending'>

/** What became of a call, in a word or a status. */
export function outcomeOf(call: Answered): { tone: Tone; word: string } {
  const { status_code: status, timed_out, error_msg, pending } = call
  if (status !== null)
    return {
      tone: status < 300 ? 'success' : status < 400 ? 'warning' : 'danger',
      word: String(status),
    }
  if (timed_out) return { tone: 'danger', word: 'Timed out' }
  if (error_msg !== null) return { tone: 'danger', word: 'Failed' }
  return pending
    ? { tone: 'info', word: 'Waiting' }
    : { tone: 'neutral', word: 'Answer no longer kept' }
}
