import type { StorageUse } from '#contract/storage-use'
import type { Log } from '#kit/log'

type Options = {
  /** Takes counts over for good; what it rejects is kept and sent again with what came meanwhile. */
  send: (uses: StorageUse[]) => Promise<void>
  log: Log
  everyMs?: number
}
export type StorageUseCounts = ReturnType<typeof createStorageUse>

/** Counts that wait while nobody takes them: days of projects. */
const mostWaiting = 50_000
/** Of one message. */
const mostSent = 1000

/** Adds up by the day what projects' storage gives away, and hands it on every few seconds. */
export function createStorageUse({ send, log, everyMs = 5000 }: Options) {
  let waiting = new Map<string, StorageUse>()

  function add(more: StorageUse): void {
    if (more.egress <= 0 && more.renders <= 0) return
    const key = `${more.ref} ${more.day}`
    const found = waiting.get(key)
    if (found) {
      found.egress += more.egress
      found.renders += more.renders
    } else if (waiting.size < mostWaiting) waiting.set(key, { ...more })
  }

  async function flush(): Promise<void> {
    const uses = [...waiting.values()]
    waiting = new Map()
    for (let start = 0; start < uses.length; start += mostSent) {
      try {
        await send(uses.slice(start, start + mostSent))
      } catch (error) {
        log.info({ err: error }, 'what storage gave away waits: nobody takes it')
        for (const use of uses.slice(start)) add(use)
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
  const today = () => new Date().toISOString().slice(0, 10)

  return {
    of: (ref: string) => ({
      sent: (bytes: number) => add({ ref, day: today(), egress: bytes, renders: 0 }),
      rendered: () => add({ ref, day: today(), egress: 0, renders: 1 }),
    }),
    async close() {
      clearInterval(timer)
      await running
      await flush()
    },
  }
}
