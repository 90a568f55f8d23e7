import type { StorageUse } from '#contract/storage/storage-use'
import { createHandOn } from '#kit/http/hand-on'
import type { Log } from '#kit/log'

type Options = { send: (uses: StorageUse[]) => Promise<void>; log: Log; everyMs?: number }
export type StorageUseCounts = ReturnType<typeof createStorageUse>

const maxKnown = 100_000

/** Adds up by the day what projects' storage gives away, and hands it on every few seconds. */
export function createStorageUse({ send, log, everyMs = 5000 }: Options) {
  const waiting = createHandOn<StorageUse>({
    send,
    takeBack: (uses) => uses.forEach(add),
    // Days of projects, and images.
    maxWaiting: 50_000,
    failure: 'what storage gave away waits: nobody takes it',
    log,
    everyMs,
  })

  function add(more: StorageUse): void {
    if (more.egress <= 0 && more.origin === undefined) return
    const key = `${more.ref} ${more.day} ${more.origin ?? ''}`
    const found = waiting.get(key)
    if (!found) return void waiting.add(key, { ...more })
    found.egress += more.egress
  }
  /** What is known of this month already; to forget it costs only that it is sent again. */
  let known = new Set<string>()
  function rendered(ref: string, origin: string): void {
    const day = today()
    const key = `${ref} ${day.slice(0, 7)} ${origin}`
    if (known.has(key)) return
    if (known.size >= maxKnown) known = new Set()
    known.add(key)
    add({ ref, day, egress: 0, origin })
  }
  const today = () => new Date().toISOString().slice(0, 10)

  return {
    of: (ref: string) => ({
      sent: (bytes: number) => add({ ref, day: today(), egress: bytes }),
      /** The object has been sent as an image of some size. */
      rendered: (origin: string) => rendered(ref, origin),
    }),
    close: () => waiting.close(),
  }
}
