import type { LogDrainReport } from '#contract/observability/log-drain-shapes'

type Counts = { events: number; bytes: number; lost: number }

/**
 * What became of a drain since this process began. Counts are absolute, by the month in UTC in which they came, so a report
 * may be said again.
 */
export function createRecord(options: { token: string; start: string; now: () => number }) {
  const { token, start, now } = options
  const months = new Map<string, Counts>()
  let until: number | undefined
  let successAt: number | undefined
  let failing: { since: number; error: string; nextAt: number | undefined } | undefined
  /** What was said last although nothing fails, such as an entry that was too large. */
  let remark: string | undefined
  let [version, told] = [0, 0]

  const iso = (ms: number | undefined) => (ms === undefined ? null : new Date(ms).toISOString())
  function counts(): Counts {
    const month = new Date(now()).toISOString().slice(0, 7)
    const known = months.get(month) ?? { events: 0, bytes: 0, lost: 0 }
    months.set(month, known)
    return known
  }

  return {
    /** `newest` in microseconds since 1970. */
    delivered(events: number, bytes: number, newest: number): void {
      version += 1
      const known = counts()
      known.events += events
      known.bytes += bytes
      until = Math.max(until ?? 0, newest / 1000)
      successAt = now()
      failing = undefined
    },
    failed(error: string, nextAt?: number): void {
      version += 1
      failing = { since: failing?.since ?? now(), error, nextAt }
    },
    lost(entries: number, why?: string): void {
      version += 1
      counts().lost += entries
      remark = why ?? remark
    },
    /** Another config: what was wrong with the one before says nothing. */
    begunAnew(): void {
      version += 1
      failing = remark = undefined
    },
    isFailing: (): boolean => failing !== undefined,
    isTold: (): boolean => version === told,
    /** What has not been told, and how to say that it was. */
    untold(): { reports: LogDrainReport[]; wasTold: () => void } {
      if (version === told) return { reports: [], wasTold: () => {} }
      const said = version
      counts()
      const state = {
        token,
        start,
        delivered_until: iso(until),
        last_success_at: iso(successAt),
        failing_since: iso(failing?.since),
        last_error: failing?.error ?? remark ?? null,
        next_attempt_at: iso(failing?.nextAt),
      }
      const reports = [...months].map(([month, of]) => ({ ...state, month, ...of }))
      return {
        reports,
        wasTold: () => {
          told = said
          // Nothing is added any more to a month that is over.
          for (const { month } of reports.slice(0, -1)) months.delete(month)
        },
      }
    },
  }
}
export type DrainRecord = ReturnType<typeof createRecord>
