import type { RestrictionStatus } from '#contract/billing/billing-operator'
import type { RestrictionCause } from '#contract/billing/quotas'
import { daysAfter, stageTerms } from './terms.ts'

/** What comes and goes by itself; the operator's word does not. */
export const ownCauses = ['overdue', 'quota'] as const
export type OwnCause = (typeof ownCauses)[number]
export type Stage = { status: RestrictionStatus; grace_period_end: Date }
export type Stages = Readonly<Record<OwnCause, Stage | null>>
export type Standing = {
  restriction_status: RestrictionStatus | null
  restriction_cause: RestrictionCause | null
  grace_period_end: Date | null
}

export const clear: Standing = {
  restriction_status: null,
  restriction_cause: null,
  grace_period_end: null,
}

type Look = {
  cause: OwnCause
  /** Whether there still is what it began with. */
  applies: boolean
  now: Date
  /** When the last grace period of this cause began. */
  lastGrace: Date | null
}

/** The next stage of one cause, one step at a time: grace_period, grace_period_over, restricted (requirements §4). */
export function nextStage(
  current: Stage | null,
  { cause, applies, now, lastGrace }: Look,
): Stage | null {
  const { graceDays, overDays, graceEveryDays } = stageTerms[cause]
  if (!applies) return null
  if (current === null) {
    const isFirst = lastGrace === null || now >= daysAfter(lastGrace, graceEveryDays)
    return isFirst
      ? { status: 'grace_period', grace_period_end: daysAfter(now, graceDays) }
      : { status: 'grace_period_over', grace_period_end: now }
  }
  const { status, grace_period_end: end } = current
  if (status === 'grace_period' && now >= end) return { ...current, status: 'grace_period_over' }
  if (status === 'grace_period_over' && now >= daysAfter(end, overDays))
    return { ...current, status: 'restricted' }
  return current
}

/** When the projects of an organization that does nothing about it will be restricted. */
export const restrictedAt = (cause: OwnCause, end: Date): Date =>
  daysAfter(end, stageTerms[cause].overDays)

const rank: Record<RestrictionStatus, number> = {
  grace_period: 1,
  grace_period_over: 2,
  restricted: 3,
}

/** Of several causes the harsher one counts; of two that are alike the invoices, which leave less. */
export function harshest({ overdue, quota }: Stages): Standing {
  const isQuota = quota !== null && (overdue === null || rank[quota.status] > rank[overdue.status])
  const stage = isQuota ? quota : overdue
  if (stage === null) return clear
  return {
    restriction_status: stage.status,
    restriction_cause: isQuota ? 'quota' : 'overdue',
    grace_period_end: stage.grace_period_end,
  }
}
