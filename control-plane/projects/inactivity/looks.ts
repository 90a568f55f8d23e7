import type { Log } from '#kit/log'
import type { InactivityStore } from './store.ts'

type Deps = { store: Pick<InactivityStore, 'seen'>; now: () => Date; log: Log }

const hourMs = 3_600_000

/** Notes that somebody looks at a project, at most once an hour for each; nobody waits for it. */
export function createLooks({ store, now, log }: Deps) {
  const noted = new Map<string, number>()
  return (ref: string): void => {
    const at = now()
    const before = noted.get(ref)
    if (before !== undefined && at.getTime() - before < hourMs) return
    noted.set(ref, at.getTime())
    store.seen(ref, at).catch((error: unknown) => {
      // The next call notes it.
      noted.delete(ref)
      log.warn({ err: error, ref }, 'it could not be noted that somebody looks at a project')
    })
  }
}
