const hour = 3600_000
const day = 24 * hour

export const expiries = [
  { value: '1h', label: '1 hour', ms: hour },
  { value: '1d', label: '1 day', ms: day },
  { value: '7d', label: '7 days', ms: 7 * day },
  { value: '30d', label: '30 days', ms: 30 * day },
  { value: 'custom', label: 'Custom date', ms: undefined },
  { value: 'never', label: 'Never', ms: undefined },
] as const
export type Expiry = (typeof expiries)[number]['value']

/** Today as a date field writes it, in the person's own zone. */
export const dayOf = (time: Date): string =>
  [time.getFullYear(), time.getMonth() + 1, time.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')

/**
 * When a token made now ends; undefined: never. A chosen day is included: the token ends with it, in the person's own
 * zone.
 */
export function expiresAt(expiry: Expiry, chosenDay: string, now = new Date()): Date | undefined {
  if (expiry === 'custom') return new Date(`${chosenDay}T23:59:59.999`)
  const { ms } = expiries.find(({ value }) => value === expiry) ?? {}
  return ms === undefined ? undefined : new Date(now.getTime() + ms)
}
