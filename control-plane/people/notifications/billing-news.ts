import { dayText, restrictionCauses, type RestrictionCause } from '#contract/billing/quotas'
import type { Notice } from './notice.ts'

type Told = Omit<Notice, 'organizationId'>
type Whose = { name: string; slug: string }
/** What a change says of itself: JSON. */
type After = Record<string, unknown>

const dayOf = (instant: unknown): string | undefined =>
  typeof instant === 'string' ? dayText(new Date(instant)) : undefined
const causeOf = ({ restriction_cause: given }: After): RestrictionCause =>
  restrictionCauses.find((cause) => cause === given) ?? 'overdue'

const reason: Record<RestrictionCause, string> = {
  quota: 'It has used more than its plan includes. Upgrade the plan or use less',
  overdue: 'It has invoices that are overdue. Pay them',
  operator: 'The operator of this platform has decided so. Contact support',
}

/** What has become of an organization that owes, or uses more than its plan includes. */
export function restrictionNotice(after: After, { name, slug }: Whose): Told {
  const base = {
    name: 'billing.restriction',
    actions: [{ label: 'Open billing', url: `/org/${slug}/billing` as const }],
  }
  const why = reason[causeOf(after)]
  const end = dayOf(after['grace_period_end'])
  const restricted = dayOf(after['restricted_at'])
  const otherwise = restricted
    ? `: its projects are restricted on ${restricted} (UTC) otherwise.`
    : ', or its projects will be restricted.'
  switch (after['restriction_status']) {
    case 'grace_period':
      return {
        ...base,
        priority: 'Warning',
        title: `A grace period has begun for ${name}`,
        message: `${end ? `It ends on ${end} (UTC). ` : ''}${why}${otherwise}`,
      }
    case 'grace_period_over':
      return {
        ...base,
        priority: 'Critical',
        title: `The grace period of ${name} is over`,
        message: `${why}${otherwise}`,
      }
    case 'restricted':
      return {
        ...base,
        priority: 'Critical',
        title: `The projects of ${name} are restricted`,
        message:
          causeOf(after) === 'quota'
            ? `${why}. Until then data can be read, exported and deleted, but not added to or changed.`
            : `${why}. Until then data can be read but not changed.`,
      }
    default:
      return {
        ...base,
        priority: 'Info',
        title: `${name} is in good standing again`,
        message: 'It is no longer restricted.',
      }
  }
}

/** What is near to what the plan includes, or beyond it. */
export function quotaNotice(after: After, { name, slug }: Whose): Told {
  const { level, metrics } = after
  const list = Array.isArray(metrics) ? metrics.map(String).join(', ') : ''
  return {
    name: 'billing.quota',
    priority: 'Warning',
    title:
      level === 'exceeded'
        ? `${name} has used all that its plan includes`
        : `${name} has used 80% of what its plan includes`,
    message:
      level === 'exceeded'
        ? `${list}. What is beyond is charged with the next invoice.`
        : `${list}. See what uses most, or choose a larger plan.`,
    actions: [{ label: 'Open usage', url: `/org/${slug}/usage` }],
  }
}
