import { ApiError } from '#kit/errors'
import type { LogStore, NewEvent } from '../../logs/log-store.ts'

/** A store that keeps in memory what is written, and answers nothing. */
export function recordingStore() {
  const events: { ref: string; event: NewEvent }[] = []
  const refuse = () => Promise.reject(new ApiError('logs_engine_missing'))
  const store: LogStore = {
    append: (ref, added) => void events.push(...added.map((event) => ({ ref, event }))),
    lose: () => undefined,
    page: refuse,
    histogram: refuse,
    facets: refuse,
    trace: refuse,
    query: refuse,
    oldest: async () => undefined,
    projects: async () => [...new Set(events.map(({ ref }) => ref))],
    answers: () => false,
    retain: async () => undefined,
    drop: async () => undefined,
    flush: async () => undefined,
    close: async () => undefined,
  }
  return { store, events }
}
