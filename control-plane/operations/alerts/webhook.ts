import { createHmac, randomBytes } from 'node:crypto'

/** `id` is what the receiver knows the message by: the same one for the same news, however often it is sent. */
export type Message = { id: string; body: string }
/** Why it was not taken, for whoever set the address; undefined: it was. */
export type SendMessage = (
  to: { url: string; secret: string },
  message: Message,
  at: Date,
) => Promise<string | undefined>

const limitMs = 10_000
const prefix = 'whsec_'

/** A secret in the form of Standard Webhooks. */
export const newWebhookSecret = (): string => prefix + randomBytes(24).toString('base64')

/** Signs id, time and body as Standard Webhooks say: an old message, or another body, does not fit. */
export function signed(secret: string, { id, body }: Message, at: Date): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const mac = createHmac('sha256', Buffer.from(secret.slice(prefix.length), 'base64'))
  const signature = mac.update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
}

/**
 * Sends a message to the operator's own address. It may be of the inner network, where receivers of alerts often are: whoever may
 * set it runs the machine anyway. Redirects are not followed, and the answer's body is not read.
 */
export const sendMessage: SendMessage = async ({ url, secret }, message, at) => {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signed(secret, message, at) },
      body: message.body,
      redirect: 'manual',
      signal: AbortSignal.timeout(limitMs),
    })
    await response.body?.cancel()
    return response.ok ? undefined : `The receiver answered ${response.status}`
  } catch (error) {
    return reasonOf(error)
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return 'The receiver did not answer within 10 seconds'
  const { cause } = error
  return cause instanceof Error && cause.message !== ''
    ? `The receiver was not reached: ${cause.message}`
    : `The receiver was not reached: ${error.message}`
}
