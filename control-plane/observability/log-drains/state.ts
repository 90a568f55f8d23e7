import type { LogDrainState } from '#contract/observability/log-drain-shapes'
import type { ReportRow } from './store.ts'

/** A process that fails says so at least every five minutes; one that has said nothing for longer may be gone. */
const silentMs = 15 * 60_000

/** Such as 2026-11, in UTC. */
export const monthOf = (date: Date): string => date.toISOString().slice(0, 7)

const latest = (dates: readonly (Date | null)[]): Date | null =>
  dates.reduce((found, date) => (date && (!found || date > found) ? date : found), null)
const earliest = (dates: readonly (Date | null)[]): Date | null =>
  dates.reduce((found, date) => (date && (!found || date < found) ? date : found), null)
const iso = (date: Date | null) => date?.toISOString() ?? null

/**
 * What becomes of a drain, from what each process has said of it. It fails while one of them fails: one that has been silent
 * for long counts until another one has delivered after it.
 */
export function stateOf(reports: readonly ReportRow[], now: Date): LogDrainState {
  const ofMonth = reports.filter(({ month }) => month === monthOf(now))
  const sum = (of: (report: ReportRow) => string) =>
    ofMonth.reduce((total, report) => total + Number(of(report)), 0)
  // Of one process, the newest month has what it says now.
  const newest = new Map<string, ReportRow>()
  for (const report of reports) {
    const other = newest.get(report.start_id)
    if (!other || report.month > other.month) newest.set(report.start_id, report)
  }
  const failing = [...newest.values()].filter(
    ({ failing_since: since, reported_at: at }) =>
      since !== null &&
      (now.getTime() - at.getTime() < silentMs ||
        !reports.some(({ last_success_at: success }) => success !== null && success > at)),
  )
  const last = failing.toSorted((a, b) => a.reported_at.getTime() - b.reported_at.getTime()).at(-1)
  return {
    delivered_until: iso(latest(reports.map((report) => report.delivered_until))),
    last_success_at: iso(latest(reports.map((report) => report.last_success_at))),
    failing_since: iso(earliest(failing.map((report) => report.failing_since))),
    last_error: last?.last_error ?? null,
    next_attempt_at: iso(earliest(failing.map((report) => report.next_attempt_at))),
    events: sum((report) => report.events),
    bytes: sum((report) => report.bytes),
    lost: sum((report) => report.lost),
  }
}
