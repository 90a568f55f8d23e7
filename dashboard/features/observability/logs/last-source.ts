import type { LogSource } from '#contract/observability/log-sources'
import { slugOf, sourceOf } from './sources.ts'

const key = (ref: string) => `plinth.last-visited-logs-page-${ref}`

/** The source that was looked at last in this browser; that of all requests for who has not looked yet. */
export const lastSource = (ref: string): LogSource =>
  sourceOf(localStorage.getItem(key(ref)) ?? '') ?? 'edge_logs'

export function rememberSource(ref: string, source: LogSource): void {
  try {
    localStorage.setItem(key(ref), slugOf(source))
  } catch {
    // Without room it is merely forgotten.
  }
}
