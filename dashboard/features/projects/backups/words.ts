import { addOnVariants } from '#contract/billing/add-ons'
import { formatRate } from '#contract/billing/money'
import type { Backup, Clone } from '#contract/projects/backups'
import { computeSizeIds, type ComputeSizeId } from '#contract/projects/compute-sizes'
import type { StatusTone } from '../../../ui/text/Status.tsx'
import { counted, monthNames } from '../../../ui/text/number.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

type View = { label: string; tone: StatusTone }

/** The word and sign of a backup's status. */
export const backupView: Record<Backup['status'], View> = {
  PENDING: { label: 'Being made', tone: 'working' },
  COMPLETED: { label: 'Completed', tone: 'success' },
  FAILED: { label: 'Failed', tone: 'danger' },
  REMOVED: { label: 'Removed', tone: 'off' },
}

export const cloneView: Record<Clone['status'], View> = {
  IN_PROGRESS: { label: 'Being made', tone: 'working' },
  COMPLETED: { label: 'Completed', tone: 'success' },
  FAILED: { label: 'Failed', tone: 'danger' },
  REMOVED: { label: 'Deleted', tone: 'off' },
}

export const reasonText: Record<Backup['reason'], string> = {
  scheduled: 'Scheduled',
  manual: 'Made by hand',
  before_restore: 'Before a restore',
  branch: 'For a branch',
}

/** What a status stands on: the counts of the drill, what is going on, or why it failed. */
export function basisText({ status, tables, rows, failure }: Backup): string {
  if (status === 'PENDING') return 'Copied, then read back'
  if (status === 'FAILED') return failure ?? 'The backup failed'
  if (status === 'REMOVED') return 'Its file was deleted'
  return tables === null || rows === null
    ? 'Read back'
    : `Read back: ${counted(tables, 'table')}, ${counted(rows, 'row')}`
}

/** How long until then: `in 3 hours`; what is due already is `soon`. */
export function untilText(at: string, now: Date): string {
  const left = new Date(at).getTime() - now.getTime()
  if (left < minute) return 'soon'
  if (left < hour) return `in ${counted(Math.floor(left / minute), 'minute')}`
  if (left < 2 * day) return `in ${counted(Math.round(left / hour), 'hour')}`
  return `in ${counted(Math.round(left / day), 'day')}`
}

/** How long ago: `12 min ago`, `yesterday`. */
export function sinceText(at: string, now: Date): string {
  const past = now.getTime() - new Date(at).getTime()
  if (past < minute) return 'just now'
  if (past < hour) return `${Math.floor(past / minute)} min ago`
  if (past < day) return `${Math.floor(past / hour)} h ago`
  return past < 2 * day ? 'yesterday' : `${Math.floor(past / day)} days ago`
}

const two = (n: number) => String(n).padStart(2, '0')

/** `18 Nov 2025, 09:41:07`, in the reader's zone. */
export function clockText(at: string): string {
  const date = new Date(at)
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')
  return `${two(date.getDate())} ${monthNames[date.getMonth()]} ${date.getFullYear()}, ${clock}`
}

/** When it shows the database: a backup that is not through yet is known by its beginning. */
export const takenAt = ({ taken_at: taken, inserted_at: begun }: Backup): string => taken ?? begun

type RecoveryOffer = { identifier: string; days: number; price: string }

/** What point in time recovery is to be had for, the shortest first. */
export const recoveryOffers: readonly RecoveryOffer[] = addOnVariants
  .filter(({ type }) => type === 'pitr')
  .map(({ identifier, rate }) => ({
    identifier,
    days: Number(identifier.replace('pitr_', '')),
    price: `${formatRate(rate)} a month`,
  }))

/** The smallest size that has the room to keep its log (facts §1.3). */
const smallest: ComputeSizeId = 'small'

export const isLargeEnough = (size: ComputeSizeId): boolean =>
  computeSizeIds.indexOf(size) >= computeSizeIds.indexOf(smallest)
