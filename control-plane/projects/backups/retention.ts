import type { Backups } from '#contract/projects/backups'
import { planLimits } from '#contract/limits'
import { hasFeature } from '#contract/billing/plan-comparison'
import { planOfTier, type PlanId, type Tier } from '#contract/billing/plans'
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
  hasFeature(plan, 'database.automaticBackups')
    ? ((plan === 'enterprise' ? planLimits.team : planLimits[plan]).backupRetentionDays ?? 0)
    : 0

export const tierDays = (tier: Tier): number => planDays(planOfTier[tier])

/** `pitr_14` is for 14 days. */
export const recoveryDays = (variant: string | null): number =>
  variant === null ? 0 : Number(variant.slice('pitr_'.length))

type Kept = { tier: Tier; recovery: string | null }

export const keptDays = ({ tier, recovery }: Kept): number =>
  Math.max(tierDays(tier), recoveryDays(recovery))

type Kind = Pick<BackupRow, 'reason' | 'status' | 'inserted_at' | 'finished_at'>
type Schedule = { inserted_at: Date; keeps_wal_since: Date | null }

/**
 * When the next scheduled backup is due; the past: at once. Kept WAL leads on from a backup, so one is made as soon as it
 * is kept. `due` in rounds-store.ts asks the same of all projects.
 */
export function nextDue({ inserted_at, keeps_wal_since: wal }: Schedule, rows: readonly Kind[]) {
  const scheduled = rows.filter(({ reason }) => reason === 'scheduled')
  const failed = scheduled
    .filter(({ status }) => status === 'FAILED')
    .map((row) => (row.finished_at ?? row.inserted_at).getTime() + pace.afterFailure)
  const made = rows.filter(({ status }) => status === 'COMPLETED' || status === 'PENDING')
  if (wal && !made.some((row) => row.inserted_at >= wal)) {
    return new Date(Math.max(wal.getTime(), ...failed))
  }
  const after = made
    .filter(({ reason }) => reason === 'scheduled')
    .map((row) => row.inserted_at.getTime() + pace.between)
  return new Date(Math.max(inserted_at.getTime() + pace.atFirst, ...failed, ...after))
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
