import { nearFrom, type UsageItem, type UsageMetric } from './usage.ts'

/**
 * What the spend cap covers, and what stops the Free plan. The size of a database is not among them: that bound holds for each
 * project by itself (contract/projects/disk.ts).
 */
export const cappedMetrics: readonly UsageMetric[] = [
  'EGRESS',
  'CACHED_EGRESS',
  'STORAGE_SIZE',
  'MONTHLY_ACTIVE_USERS',
  'MONTHLY_ACTIVE_SSO_USERS',
  'MONTHLY_ACTIVE_THIRD_PARTY_USERS',
  'STORAGE_IMAGES_TRANSFORMED',
  'FUNCTION_INVOCATIONS',
  'REALTIME_MESSAGE_COUNT',
  'REALTIME_PEAK_CONNECTIONS',
]

/** Beyond `near` people are told, beyond all that is included something follows. */
export type QuotaLevel = 'fine' | 'near' | 'exceeded'

/** What is not included at all has no quota: the plan does not offer it. */
export function quotaLevel({
  metric,
  usage,
  included,
}: Pick<UsageItem, 'metric' | 'usage' | 'included'>): QuotaLevel {
  if (included === null || included === 0 || !cappedMetrics.includes(metric)) return 'fine'
  if (usage > included) return 'exceeded'
  return usage >= included * nearFrom ? 'near' : 'fine'
}

/** Why an organization is restricted: it owes, it uses more than its plan includes, or the operator says so. */
export const restrictionCauses = ['overdue', 'operator', 'quota'] as const
export type RestrictionCause = (typeof restrictionCauses)[number]

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** A day as mails and notifications write it: DD MMM, YYYY (requirements §8), in UTC. */
export const dayText = (date: Date): string =>
  `${String(date.getUTCDate()).padStart(2, '0')} ${months[date.getUTCMonth()] ?? ''}, ${date.getUTCFullYear()}`
