import type { Meter } from './meter.ts'

type Identity = { claims: string }
const hourMs = 3_600_000

/**
 * Counts users of other issuers, by what their tokens call them. A token comes with every request: what was read of it is
 * looked at once an hour.
 */
export function meterThirdParty(meter: Pick<Meter, 'seen'>, now: () => number = Date.now) {
  /** By the identity that a token was verified to be; the hour in which it was noted. */
  const noted = new WeakMap<Identity, number>()
  return (ref: string, identity: Identity): void => {
    const hour = Math.floor(now() / hourMs)
    if (noted.get(identity) === hour) return
    noted.set(identity, hour)
    const { sub, iss } = JSON.parse(identity.claims) as { sub?: unknown; iss?: unknown }
    if (typeof sub === 'string' && sub !== '')
      meter.seen(ref, 'third_party_users', JSON.stringify([iss, sub]))
  }
}
