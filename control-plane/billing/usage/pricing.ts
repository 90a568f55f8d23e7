import { planLimits, type Allowance, type PlanLimits } from '#contract/limits'
import { logDrainRates } from '#contract/billing/add-ons'
import { metered, type Cents, type MicroCents } from '#contract/billing/money'
import { hasFeature } from '#contract/billing/plan-comparison'
import { planOfTier, usageIsBilled, type PlanId, type Tier } from '#contract/billing/plans'
import {
  bytesOfPlan,
  gigabyte,
  usageUnits,
  type UsageItem,
  type UsageMetric,
} from '#contract/billing/usage'

type Priced = {
  allowance: (limits: PlanLimits, plan: PlanId) => Allowance
  /** What is included is so for each project. */
  perProject?: true
  /** The spend cap does not hold it back. */
  uncapped?: true
}

/** Log drains cost from the first event on, where the plan has them by itself; Enterprise agrees on a price. */
const drained = (price: MicroCents, per: number): Priced => ({
  uncapped: true,
  allowance: (_, plan) =>
    plan === 'enterprise'
      ? { included: null, price: null, per: 1 }
      : { included: 0, price: hasFeature(plan, 'security.logDrain') ? price : null, per },
})

/** Metrics that have a bound or a price. The others are shown for their own sake. */
const priced: Partial<Record<UsageMetric, Priced>> = {
  EGRESS: { allowance: (limits) => limits.egressGb },
  CACHED_EGRESS: { allowance: (limits) => limits.cachedEgressGb },
  DATABASE_SIZE: { allowance: (limits) => limits.databaseGb, perProject: true },
  STORAGE_SIZE: { allowance: (limits) => limits.storageGb },
  MONTHLY_ACTIVE_USERS: { allowance: (limits) => limits.monthlyActiveUsers },
  MONTHLY_ACTIVE_SSO_USERS: { allowance: (limits) => limits.samlUsers },
  // The plans include as many of these as of a project's own users.
  MONTHLY_ACTIVE_THIRD_PARTY_USERS: { allowance: (limits) => limits.monthlyActiveUsers },
  STORAGE_IMAGES_TRANSFORMED: { allowance: (limits) => limits.imageTransformations },
  FUNCTION_INVOCATIONS: { allowance: (limits) => limits.functionInvocations },
  REALTIME_MESSAGE_COUNT: { allowance: (limits) => limits.realtimeMessages },
  REALTIME_PEAK_CONNECTIONS: { allowance: (limits) => limits.realtimeConnections },
  LOG_DRAIN_EVENTS: drained(logDrainRates.perMillionEvents, 1_000_000),
  LOG_DRAIN_BYTES: drained(logDrainRates.perGb, 1),
}

export type Allocation = { ref: string; name: string; usage: number }
export type Price = Pick<
  UsageItem,
  | 'included'
  | 'included_per_project'
  | 'unlimited'
  | 'available_in_plan'
  | 'pricing_strategy'
  | 'price'
  | 'price_per'
  | 'capped'
> & { overage: number; cost: Cents }

const free: Price = {
  included: null,
  included_per_project: false,
  unlimited: true,
  available_in_plan: true,
  pricing_strategy: 'NONE',
  price: null,
  price_per: 1,
  capped: false,
  overage: 0,
  cost: 0,
}

const sum = (allocations: readonly Allocation[]) =>
  allocations.reduce((total, { usage }) => total + usage, 0)

/**
 * What the use of a whole organization in a cycle comes to on a tier: what is beyond, and its cost. Where usage is not
 * billed, with the spend cap on or on Free, it costs nothing.
 */
export function priceOf(
  metric: UsageMetric,
  allocations: readonly Allocation[],
  tier: Tier,
): Price {
  const of = priced[metric]
  const limits = planLimits[planOfTier[tier]]
  const allowance = of?.allowance(limits, planOfTier[tier])
  if (!of || !allowance || allowance.included === null) return free
  const size = usageUnits[metric] === 'bytes' ? gigabyte : 1
  const included = size === 1 ? allowance.included : bytesOfPlan(allowance.included)
  const beyond = (usage: number) => Math.max(0, usage - included)
  const overage = of.perProject
    ? allocations.reduce((total, { usage }) => total + beyond(usage), 0)
    : beyond(sum(allocations))
  const { price, per } = allowance
  const isPackage = per > 1
  const isBilled = usageIsBilled[tier] && price !== null
  const amount = isPackage ? Math.ceil(overage / (per * size)) * per * size : overage
  return {
    included,
    included_per_project: of.perProject ?? false,
    unlimited: false,
    available_in_plan: included > 0 || price !== null,
    pricing_strategy: price === null ? 'NONE' : isPackage ? 'PACKAGE' : 'UNIT',
    price,
    price_per: per * size,
    capped: !isBilled && !of.uncapped,
    overage,
    cost: isBilled && price !== null ? metered(price, amount, per * size) : 0,
  }
}

/** What people read on an invoice. */
export const usageNames: Record<UsageMetric, string> = {
  EGRESS: 'Egress',
  CACHED_EGRESS: 'Cached egress',
  DATABASE_SIZE: 'Database size',
  DISK_SIZE: 'Disk size',
  STORAGE_SIZE: 'Storage size',
  MONTHLY_ACTIVE_USERS: 'Monthly active users',
  MONTHLY_ACTIVE_SSO_USERS: 'Monthly active SSO users',
  MONTHLY_ACTIVE_THIRD_PARTY_USERS: 'Monthly active third-party users',
  STORAGE_IMAGES_TRANSFORMED: 'Storage image transformations',
  FUNCTION_INVOCATIONS: 'Edge function invocations',
  REALTIME_MESSAGE_COUNT: 'Realtime messages',
  REALTIME_PEAK_CONNECTIONS: 'Realtime peak connections',
  API_REQUESTS: 'API requests',
  COMPUTE_HOURS: 'Compute hours',
  COMPUTE_HOURS_BRANCH: 'Branch hours',
  LOG_DRAIN: 'Log drain hours',
  LOG_DRAIN_EVENTS: 'Log drain events',
  LOG_DRAIN_BYTES: 'Log drain bytes',
}
