import type { LogDrainOrder, LogDrainReport } from '#contract/observability/log-drain-shapes'
import type { AuditEntry } from '#contract/organizations/audit'
import type { LogDrainSource } from '../../log-drains/log-drains.ts'

/** A control plane that has drains and hears of them. */
export function fakeControlPlane() {
  const orders = new Map<string, LogDrainOrder>()
  const reports: LogDrainReport[] = []
  const audit: AuditEntry[] = []
  const listeners = new Set<() => void>()
  let asked = 0
  let isAway = false
  const there = () => {
    if (isAway) throw new Error('The control plane does not answer')
  }
  const source: LogDrainSource = {
    async logDrains() {
      asked += 1
      there()
      return [...orders.values()]
    },
    async reportLogDrains(some) {
      there()
      reports.push(...some)
    },
    async auditEntries(_, { after, since = 0 }, limit) {
      there()
      const from = after === undefined ? 0 : audit.findIndex(({ id }) => id === after) + 1
      return audit
        .slice(from)
        .filter(({ occurred_at: at }) => Date.parse(at) >= since)
        .slice(0, limit)
    },
    onAnyChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  const changed = () => {
    for (const listener of listeners) listener()
  }
  return {
    source,
    reports,
    audit,
    changed,
    asked: () => asked,
    away: (away: boolean): void => void (isAway = away),
    put(order: LogDrainOrder): void {
      orders.set(order.token, order)
      changed()
    },
    remove(token: string): void {
      orders.delete(token)
      changed()
    },
    /** What was said of a drain last. */
    last: (token: string) => reports.findLast((report) => report.token === token),
  }
}
