import type { KeyUse } from '#contract/internal'
import type { Log } from '#kit/log'

type Options = {
  /** Takes uses over for good; what it rejects is kept and sent again with what came meanwhile. */
  send: (uses: KeyUse[]) => Promise<void>
  log: Log
  everyMs?: number
}

/** Keys whose uses wait to be sent while nobody takes them. */
const mostWaiting = 20_000
/** Of one message. */
const mostSent = 1000

/** Remembers when each opaque key was shown last and hands that on every half minute, not with every request. */
export function createKeyUses({ send, log, everyMs = 30_000 }: Options) {
  let waiting = new Map<string, KeyUse>()

  function note(ref: string, sha256: string, at = Date.now()): void {
    const known = waiting.get(sha256)
    if (known) known.at = Math.max(known.at, at)
    else if (waiting.size < mostWaiting) waiting.set(sha256, { ref, sha256, at })
  }

  async function flush(): Promise<void> {
    const uses = [...waiting.values()]
    waiting = new Map()
    for (let start = 0; start < uses.length; start += mostSent) {
      try {
        await send(uses.slice(start, start + mostSent))
      } catch (error) {
        log.info({ err: error }, 'uses of keys wait: nobody takes them')
        for (const { ref, sha256, at } of uses.slice(start)) note(ref, sha256, at)
        return
      }
    }
  }

  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    running ??= flush().finally(() => {
      running = undefined
    })
  }, everyMs)
  timer.unref()

  return {
    note: (ref: string, sha256: string) => note(ref, sha256),
    async close(): Promise<void> {
      clearInterval(timer)
      await running
      await flush()
    },
  }
}
export type KeyUses = ReturnType<typeof createKeyUses>
