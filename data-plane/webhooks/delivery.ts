import type { Pool } from 'pg'
import { failed, type Outcome } from './call.ts'
import { endAttempt, leaveCall } from './delivery-store.ts'
import type { Broken, Delivery } from './due-store.ts'
import { hasArrived, waitBefore } from './retry.ts'
import { webhookHeaders, type SigningKeys } from './signature.ts'

type With = {
  pool: () => Pool
  make: (call: Delivery['call']) => Promise<Outcome>
  /** Undefined: the project has no such secret. Rejects when nobody can tell at the moment. */
  keysOf: (secretId: string) => Promise<SigningKeys | undefined>
  /** Its process ends and has not waited for the answer. */
  abandoned: () => boolean
  random?: () => number
}

/** Makes one attempt of a call and notes what follows: it has arrived, is tried again, or is dead. What the end of the process has cut off is another's. */
export async function attempt(delivery: Delivery | Broken, deps: With): Promise<void> {
  const { pool, abandoned, random = Math.random } = deps
  const startedAt = new Date()
  const began = performance.now()
  const outcome = 'call' in delivery ? await outcomeOf(delivery, deps) : failed('This is no call')
  if (abandoned()) return leaveCall(pool(), delivery)
  const wait =
    'call' in delivery
      ? waitBefore(delivery.retry, {
          tries: delivery.tries,
          outcome,
          now: Date.now(),
          random: random(),
        })
      : undefined
  await endAttempt(pool(), delivery, {
    startedAt,
    durationMs: performance.now() - began,
    outcome,
    state: hasArrived(outcome) ? 'delivered' : wait === undefined ? 'dead' : { againMs: wait },
  })
}

async function outcomeOf(delivery: Delivery, { make, keysOf }: With): Promise<Outcome> {
  const { call, secretId, webhookId } = delivery
  const keys = secretId === null ? [] : await keysOf(secretId)
  if (!keys) return failed('The signing secret of this hook is gone: make a new one')
  const signed = webhookHeaders({
    id: webhookId,
    timestamp: Math.floor(Date.now() / 1000),
    body: call.body?.toString() ?? '',
    keys,
  })
  // Nobody signs in our name by a header of their own.
  const own = Object.entries(call.headers).filter(([name]) => !/^webhook-/i.test(name.trim()))
  return make({ ...call, headers: { ...Object.fromEntries(own), ...signed } })
}
