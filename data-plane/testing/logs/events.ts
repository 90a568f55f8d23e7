import type { LogSource } from '#contract/observability/log-sources'
import type { LogRange, PageQuestion } from '#contract/observability/logs'
import type { NewEvent } from '../../logs/log-store.ts'

/** Noon of a day that is over, in microseconds; tests that need the present say so. */
export const noon = Date.parse('2026-03-10T12:00:00Z') * 1000
/** A clock that stands a little behind it. */
export const afternoon = () => noon / 1000 + 3_600_000

/** An entry `seconds` after noon. */
export function event(id: string, seconds: number, more: Partial<NewEvent> = {}): NewEvent {
  return {
    id,
    timestamp: noon + Math.round(seconds * 1e6),
    source: 'postgres_logs',
    level: 'info',
    message: `message of ${id}`,
    columns: {},
    ...more,
  }
}

/** A request at the gateway. */
export function request(
  id: string,
  seconds: number,
  columns: NewEvent['columns'] = {},
  more: Partial<NewEvent> = {},
): NewEvent {
  return event(id, seconds, {
    source: 'edge_logs',
    message: '',
    columns: {
      method: 'GET',
      path: '/rest/v1/books',
      host: 'example.com',
      status: 200,
      ...columns,
    },
    ...more,
  })
}

const iso = (micros: number) => new Date(micros / 1000).toISOString()
const all: LogSource[] = ['edge_logs', 'postgres_logs', 'function_logs', 'auth_logs']

/** From so many seconds after noon up to so many. */
export const range = (from: number, to: number, more: Partial<LogRange> = {}): LogRange => ({
  sources: all,
  from: iso(noon + from * 1e6),
  to: iso(noon + to * 1e6),
  filters: [],
  search: '',
  is_pattern: false,
  ...more,
})
export const page = (from: number, to: number, more: Partial<PageQuestion> = {}): PageQuestion => ({
  ...range(from, to, more),
  limit: 100,
  direction: 'older',
  ...more,
})
