import type { SigningKeys } from './signature.ts'
import type { WebhookSource } from './source.ts'

/** A key that was rotated is not valid much longer than it should be, whatever was missed. */
const believedMs = 30_000
const maxKnown = 1000

type Known = { keys: Promise<Record<string, SigningKeys>>; until: number }

/** The secrets that sign calls, asked for once and again when something has changed. They are kept in memory only. */
export function createKnownKeys(source: Pick<WebhookSource, 'webhookKeys' | 'onAnyChange'>) {
  const known = new Map<string, Known>()
  const unfollow = source.onAnyChange(() => known.clear())

  function read(ref: string): Known {
    if (known.size >= maxKnown) known.clear()
    const found = { keys: source.webhookKeys(ref), until: performance.now() + believedMs }
    known.set(ref, found)
    found.keys.catch(() => {
      if (known.get(ref) === found) known.delete(ref)
    })
    return found
  }

  return {
    async of(ref: string, secretId: string): Promise<SigningKeys | undefined> {
      const cached = known.get(ref)
      const isGood = cached !== undefined && performance.now() < cached.until
      const keys = await (isGood ? cached : read(ref)).keys
      return Object.hasOwn(keys, secretId) ? keys[secretId] : undefined
    },
    close: unfollow,
  }
}
