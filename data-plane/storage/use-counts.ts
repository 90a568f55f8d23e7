import type { StorageUse } from '#contract/storage-use'
import { createHandOn } from '#kit/hand-on'
import type { Log } from '#kit/log'

type Options = { send: (uses: StorageUse[]) => Promise<void>; log: Log; everyMs?: number }
export type StorageUseCounts = ReturnType<typeof createStorageUse>

/** Adds up by the day what projects' storage gives away, and hands it on every few seconds. */
export function createStorageUse({ send, log, everyMs = 5000 }: Options) {
  const waiting = createHandOn<StorageUse>({
    send,
    takeBack: (uses) => uses.forEach(add),
    // Days of projects.
    mostWaiting: 50_000,
    failure: 'what storage gave away waits: nobody takes it',
    log,
    everyMs,
  })

  function add(more: StorageUse): void {
    if (more.egress <= 0 && more.renders <= 0) return
    const key = `${more.ref} ${more.day}`
    const found = waiting.get(key)
    if (!found) return void waiting.add(key, { ...more })
    found.egress += more.egress
    found.renders += more.renders
  }
  const today = () => new Date().toISOString().slice(0, 10)

  return {
    of: (ref: string) => ({
      sent: (bytes: number) => add({ ref, day: today(), egress: bytes, renders: 0 }),
      rendered: () => add({ ref, day: today(), egress: 0, renders: 1 }),
    }),
    close: () => waiting.close(),
  }
}
