import type { Backups } from '#contract/backups'
import { planLimits } from '#contract/limits'
import { planOfTier, type PlanId, type Tier } from '#contract/plans'
import type { ArchiveWindow } from './compute.ts'
import type { BackupRow } from './store.ts'

const hour = 3_600_000
export const day = 24 * hour

/** Milliseconds between scheduled backups, after one that failed, and before the first one of a new project. */
export const pace = { between: day, afterFailure: hour, atFirst: hour }
/** How long it is shown that one failed. */
export const failuresShown = 7 * day

/** Days that a plan keeps backups; 0: it has none. What is agreed with Enterprise is not less than what Team has. */
export const planDays = (plan: PlanId): number =>
  (plan === 'enterprise' ? planLimits.team : planLimits[plan]).backupRetentionDays ?? 0

export const tierDays = (tier: Tier): number => planDays(planOfTier[tier])

/** `pitr_14` is for 14 days. */
export const recoveryDays = (variant: string | null): number =>
  variant === null ? 0 : Number(variant.slice('pitr_'.length))

type Kept = { tier: Tier; recovery: string | null }

export const keptDays = ({ tier, recovery }: Kept): number =>
  Math.max(tierDays(tier), recoveryDays(recovery))

/** When the next scheduled backup is due; the past: at once. */
export function nextDue(made: Date, rows: readonly BackupRow[]): Date {
  const scheduled = rows.filter(({ reason }) => reason === 'scheduled')
  const after = (row: BackupRow) =>
    row.status === 'FAILED'
      ? (row.finished_at ?? row.inserted_at).getTime() + pace.afterFailure
      : row.inserted_at.getTime() + pace.between
  return new Date(Math.max(made.getTime() + pace.atFirst, ...scheduled.map(after)))
}

const seconds = (at: Date) => Math.floor(at.getTime() / 1000)

/** What of the archive is within the days that are paid for, in seconds since 1970. */
export function windowsKept(
  windows: readonly ArchiveWindow[],
  days: number,
  now: Date,
): Backups['recovery_windows'] {
  const start = now.getTime() - days * day
  return windows
    .map(({ from, to = now }) => ({
      from: Math.ceil(Math.max(from.getTime(), start) / 1000),
      to: seconds(to),
    }))
    .filter(({ from, to }) => from <= to)
}

export const covers = (windows: Backups['recovery_windows'], at: number): boolean =>
  windows.some(({ from, to }) => from <= at && at <= to)
