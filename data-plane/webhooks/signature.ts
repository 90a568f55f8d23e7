import { createHmac } from 'node:crypto'

/** The secrets that sign now: two while one takes the other's place. As shown to people: `whsec_` and base64. */
export type SigningKeys = readonly string[]

type Signed = { id: string; timestamp: number; body: string; keys: SigningKeys }

/**
 * Headers by which a receiver knows a call again and, with keys, who has sent it (the "Standard Webhooks" convention).
 * `timestamp`: seconds since 1970.
 */
export function webhookHeaders({ id, timestamp, body, keys }: Signed): Record<string, string> {
  const signatures = keys.map((key) => {
    const secret = Buffer.from(key.replace(/^whsec_/, ''), 'base64')
    const mac = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')
    return `v1,${mac}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    ...(signatures.length > 0 ? { 'webhook-signature': signatures.join(' ') } : {}),
  }
}
