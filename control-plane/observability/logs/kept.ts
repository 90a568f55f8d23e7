import { planIds, planNames, type PlanId } from '#contract/billing/plans'
import { planLimits } from '#contract/limits'
import type { LogSource } from '#contract/observability/log-sources'
import { ApiError } from '#kit/errors'

const hour = 3_600_000
const day = 24 * hour
/** A page that shows the last day has been open for a while when it asks. */
const slack = 5 * 60_000

/** Hours that a plan keeps entries of a source; those of the auth service's audit have their own. Null: without a bound. */
const hoursOf = (plan: PlanId, source: LogSource): number => {
  const { logRetentionDays, authAuditHours } = planLimits[plan]
  const all = logRetentionDays * 24
  return source === 'auth_audit_logs' ? Math.min(authAuditHours ?? all, all) : all
}

/** Since when a plan keeps entries, in milliseconds since 1970: of logs, and of the audit of Auth. */
export const keptSince = (plan: PlanId, now: Date) => ({
  since: now.getTime() - hoursOf(plan, 'edge_logs') * hour,
  auditSince: now.getTime() - hoursOf(plan, 'auth_audit_logs') * hour,
})

/**
 * Refuses a range that begins before what the plan keeps of all sources that are asked, and says which plan keeps it.
 * @throws ApiError logs_not_kept
 */
export function checkRange(
  plan: PlanId,
  { sources, from }: { sources: readonly LogSource[]; from: string },
  now: Date,
): void {
  const age = now.getTime() - Date.parse(from)
  const longest = (of: PlanId) => Math.max(...sources.map((source) => hoursOf(of, source))) * hour
  if (age <= longest(plan) + slack) return
  const better = planIds.find((each) => longest(each) >= age - slack)
  const kept = `The ${planNames[plan]} plan keeps these logs for ${spelt(longest(plan))}`
  throw new ApiError(
    'logs_not_kept',
    better
      ? `${kept}. The ${planNames[better]} plan keeps them for ${spelt(longest(better))}`
      : `${kept}, which is as long as any plan does`,
  )
}

const spelt = (ms: number): string => {
  const [count, unit] = ms < day ? [ms / hour, 'hour'] : [ms / day, 'day']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
