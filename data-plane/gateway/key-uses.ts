import type { KeyUse } from '#contract/internal'
import { createHandOn } from '#kit/http/hand-on'
import type { Log } from '#kit/log'

type Options = { send: (uses: KeyUse[]) => Promise<void>; log: Log; everyMs?: number }

/** Remembers when each opaque key was shown last and hands that on every half minute, not with every request. */
export function createKeyUses({ send, log, everyMs = 30_000 }: Options) {
  const waiting = createHandOn<KeyUse>({
    send,
    takeBack: (uses) => uses.forEach(({ ref, sha256, at }) => note(ref, sha256, at)),
    maxWaiting: 20_000,
    failure: 'uses of keys wait: nobody takes them',
    log,
    everyMs,
  })

  function note(ref: string, sha256: string, at = Date.now()): void {
    const known = waiting.get(sha256)
    if (known) known.at = Math.max(known.at, at)
    else waiting.add(sha256, { ref, sha256, at })
  }

  return {
    note: (ref: string, sha256: string) => note(ref, sha256),
    close: () => waiting.close(),
  }
}
export type KeyUses = ReturnType<typeof createKeyUses>
