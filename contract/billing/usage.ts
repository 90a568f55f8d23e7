import { z } from 'zod'
import { Amount, Plan } from './billing-shapes.ts'
import { endpoint } from '../endpoint.ts'
import { inOrganization } from '../permissions.ts'
import { tiers } from './plans.ts'
import { Instant, ProjectRef, Slug } from '../values.ts'

/** In the order in which they are shown. The names are those that tools of the public platform know, where it has one. */
export const usageMetrics = [
  'EGRESS',
  'CACHED_EGRESS',
  'DATABASE_SIZE',
  'DISK_SIZE',
  'STORAGE_SIZE',
  'MONTHLY_ACTIVE_USERS',
  'MONTHLY_ACTIVE_SSO_USERS',
  'MONTHLY_ACTIVE_THIRD_PARTY_USERS',
  'STORAGE_IMAGES_TRANSFORMED',
  'FUNCTION_INVOCATIONS',
  'REALTIME_MESSAGE_COUNT',
  'REALTIME_PEAK_CONNECTIONS',
  'API_REQUESTS',
  'COMPUTE_HOURS',
  'COMPUTE_HOURS_BRANCH',
  'LOG_DRAIN',
  'LOG_DRAIN_EVENTS',
  'LOG_DRAIN_BYTES',
] as const
export type UsageMetric = (typeof usageMetrics)[number]

export const gigabyte = 1024 ** 3

/** Bytes that a plan means by so many gigabytes: half a gigabyte is 500 MB, as it is sold and as it is enforced (`databaseLimit`). */
export const bytesOfPlan = (gigabytes: number): number =>
  gigabytes < 1 ? gigabytes * 1000 * 1024 ** 2 : gigabytes * gigabyte

/** In what a metric is counted. */
export const usageUnits: Record<UsageMetric, 'bytes' | 'count' | 'hours'> = {
  EGRESS: 'bytes',
  CACHED_EGRESS: 'bytes',
  DATABASE_SIZE: 'bytes',
  DISK_SIZE: 'bytes',
  STORAGE_SIZE: 'bytes',
  MONTHLY_ACTIVE_USERS: 'count',
  MONTHLY_ACTIVE_SSO_USERS: 'count',
  MONTHLY_ACTIVE_THIRD_PARTY_USERS: 'count',
  STORAGE_IMAGES_TRANSFORMED: 'count',
  FUNCTION_INVOCATIONS: 'count',
  REALTIME_MESSAGE_COUNT: 'count',
  REALTIME_PEAK_CONNECTIONS: 'count',
  API_REQUESTS: 'count',
  COMPUTE_HOURS: 'hours',
  COMPUTE_HOURS_BRANCH: 'hours',
  LOG_DRAIN: 'hours',
  LOG_DRAIN_EVENTS: 'count',
  LOG_DRAIN_BYTES: 'bytes',
}

/** What the upcoming invoice lists by itself, so that an item of it has no cost. */
export const billedApart: readonly UsageMetric[] = [
  'COMPUTE_HOURS',
  'COMPUTE_HOURS_BRANCH',
  'LOG_DRAIN',
]

/** Parts of what is included from which on it is told of. */
export const approachingFrom = 0.75
export const nearFrom = 0.8

const metric = z.enum(usageMetrics)

export const UsageItem = z.object({
  metric,
  unit: z.enum(['bytes', 'count', 'hours']),
  /**
   * Sums and counts of the cycle; of sizes the average over its hours so far; of connections the highest, added up over
   * projects.
   */
  usage: z.number(),
  /** In the unit of `usage`; null: no bound. */
  included: z.number().nullable(),
  /** What is included is so for each project by itself. */
  included_per_project: z.boolean(),
  unlimited: z.boolean(),
  available_in_plan: z.boolean(),
  /** UNIT: exactly what is beyond; PACKAGE: every package that was begun; NONE: nothing beyond is to be had, or it is free. */
  pricing_strategy: z.enum(['UNIT', 'PACKAGE', 'NONE']),
  /** Micro-cents for `price_per` units; null: more is not to be had on this plan. */
  price: z.number().nullable(),
  price_per: z.number(),
  /** Beyond what is included; null where only a part of a cycle, or of the organization, was asked for. */
  overage: z.number().nullable(),
  /** It costs nothing, because the spend cap is on or the plan bills no usage. */
  capped: z.boolean(),
  /** Cents; null as `overage`, and for what the upcoming invoice lists by itself: compute by size, branches, and the months of log drains. */
  cost: Amount.nullable(),
  /** By service, or compute size; those with nothing are left out. */
  breakdown: z.array(z.object({ name: z.string(), usage: z.number() })),
  /** Most first; those with nothing are left out. `ref` is empty for what is the organization's own. */
  project_allocations: z.array(z.object({ ref: z.string(), name: z.string(), usage: z.number() })),
})
export type UsageItem = z.infer<typeof UsageItem>

const Cycle = z.object({ start: Instant, end: Instant, is_current: z.boolean() })

export const OrganizationUsage = z.object({
  /** What was asked for. Usage is counted by whole hours: the hour in which a cycle begins is its own. */
  start: Instant,
  end: Instant,
  /** The plan of the cycle: the present one, or the one that a past cycle ended with. */
  plan: Plan,
  tier: z.enum(tiers),
  /** Whether use beyond what is included is billed. */
  usage_billing_enabled: z.boolean(),
  items: z.array(UsageItem),
  /** Newest first. */
  cycles: z.array(Cycle),
  /** Projects that have used anything in this time, also those that are gone. */
  projects: z.array(z.object({ ref: z.string(), name: z.string() })),
  /** What this installation does not measure. */
  not_measured: z.array(z.enum(['cached_egress'])),
})
export type OrganizationUsage = z.infer<typeof OrganizationUsage>

export const UsageDay = z.object({
  /** UTC. */
  day: z.iso.date(),
  metric,
  /** Service or compute size, where the metric has them; otherwise empty. */
  part: z.string(),
  /** Null: of all projects. */
  ref: z.string().nullable(),
  /** Of users and images: those that were new in the cycle on this day. */
  usage: z.number(),
})
export type UsageDay = z.infer<typeof UsageDay>

/** Days of one question at most. */
export const maxUsageDays = 400

const Span = z.object({
  slug: Slug,
  /** The beginning of a cycle, or with `end` of any time. The present cycle unless told. */
  start: z.iso.datetime({ offset: true }).optional(),
  end: z.iso.datetime({ offset: true }).optional(),
  project_ref: ProjectRef.optional(),
})
const seesUsage = inOrganization('billing:Read', 'stripe.subscriptions')

/** What the projects of an organization use, and what that costs. It is some minutes old at most. */
export const usage = {
  get: endpoint('usage.get', 'GET /platform/organizations/:slug/usage', {
    needs: seesUsage,
    input: Span,
    returns: OrganizationUsage,
  }),
  daily: endpoint('usage.daily', 'GET /platform/organizations/:slug/usage/daily', {
    needs: seesUsage,
    input: Span.extend({
      /** Each project by itself; otherwise they are added up. */
      by_project: z.stringbool().default(false),
    }),
    returns: z.object({ days: z.array(UsageDay) }),
  }),
}
