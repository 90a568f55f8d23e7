import { databaseLimit } from '#contract/projects/disk'
import { expect, test } from 'vitest'
import type { Tier } from '#contract/billing/plans'
import { gigabyte, type UsageMetric } from '#contract/billing/usage'
import { priceOf } from './pricing.ts'

const of = (...usages: number[]) =>
  usages.map((usage, at) => ({ ref: `p${at}`, name: `p${at}`, usage }))
const price = (metric: UsageMetric, tier: Tier, ...usages: number[]) =>
  priceOf(metric, of(...usages), tier)

/** What the requirements say of each plan, in its own words turned into numbers. */
test.each<[UsageMetric, Tier, number, number, number, number]>([
  // included, used, beyond, cents
  ['EGRESS', 'tier_payg', 250 * gigabyte, 350 * gigabyte, 100 * gigabyte, 900],
  ['EGRESS', 'tier_team', 250 * gigabyte, 251 * gigabyte, gigabyte, 9],
  ['EGRESS', 'tier_payg', 250 * gigabyte, 250 * gigabyte, 0, 0],
  ['CACHED_EGRESS', 'tier_payg', 250 * gigabyte, 350 * gigabyte, 100 * gigabyte, 300],
  ['STORAGE_SIZE', 'tier_payg', 100 * gigabyte, 200 * gigabyte, 100 * gigabyte, 210],
  ['MONTHLY_ACTIVE_USERS', 'tier_payg', 100_000, 110_000, 10_000, 3250],
  ['MONTHLY_ACTIVE_THIRD_PARTY_USERS', 'tier_payg', 100_000, 110_000, 10_000, 3250],
  ['MONTHLY_ACTIVE_SSO_USERS', 'tier_payg', 50, 150, 100, 150],
  // Packages: the first one beyond costs as a whole.
  ['STORAGE_IMAGES_TRANSFORMED', 'tier_payg', 100, 101, 1, 500],
  ['STORAGE_IMAGES_TRANSFORMED', 'tier_payg', 100, 1101, 1001, 1000],
  ['FUNCTION_INVOCATIONS', 'tier_payg', 2_000_000, 2_000_001, 1, 200],
  ['REALTIME_MESSAGE_COUNT', 'tier_payg', 5_000_000, 7_000_000, 2_000_000, 500],
  ['REALTIME_PEAK_CONNECTIONS', 'tier_payg', 500, 1501, 1001, 2000],
  // With the spend cap on, and on Free, it costs nothing.
  ['EGRESS', 'tier_pro', 250 * gigabyte, 350 * gigabyte, 100 * gigabyte, 0],
  ['EGRESS', 'tier_free', 5 * gigabyte, 6 * gigabyte, gigabyte, 0],
  ['FUNCTION_INVOCATIONS', 'tier_free', 500_000, 500_001, 1, 0],
])(
  '%s on %s: %i included, of %i used %i are beyond and cost %i cents',
  (metric, tier, included, used, overage, cost) => {
    expect(price(metric, tier, used)).toMatchObject({ included, overage, cost, unlimited: false })
    // It is the organization's, however its projects share it.
    expect(price(metric, tier, used / 2, used / 2)).toMatchObject({ overage, cost })
  },
)

test('databases have what is included each for itself', () => {
  expect(price('DATABASE_SIZE', 'tier_payg', 7 * gigabyte, 7 * gigabyte)).toMatchObject({
    included: 8 * gigabyte,
    included_per_project: true,
    overage: 0,
    cost: 0,
  })
  expect(price('DATABASE_SIZE', 'tier_payg', 7 * gigabyte, 18 * gigabyte)).toMatchObject({
    overage: 10 * gigabyte,
    cost: 125,
  })
})

test('what a plan does not have at all, what has no bound, and what only is shown', () => {
  expect(price('STORAGE_IMAGES_TRANSFORMED', 'tier_free', 0)).toMatchObject({
    available_in_plan: false,
    included: 0,
    pricing_strategy: 'NONE',
  })
  for (const [metric, tier] of [
    ['EGRESS', 'tier_enterprise'],
    ['API_REQUESTS', 'tier_free'],
    ['DISK_SIZE', 'tier_free'],
    ['COMPUTE_HOURS', 'tier_payg'],
  ] as const)
    expect(price(metric, tier, 1e15)).toMatchObject({ unlimited: true, cost: 0, capped: false })
})

test('a part of a cent is rounded once, at the end', () => {
  expect(price('EGRESS', 'tier_payg', 250 * gigabyte + 1).cost).toBe(0)
  expect(price('MONTHLY_ACTIVE_USERS', 'tier_payg', 100_001).cost).toBe(0)
  expect(price('MONTHLY_ACTIVE_USERS', 'tier_payg', 100_002).cost).toBe(1)
})

test('the database of a free project has the size that is sold and enforced', () => {
  expect(priceOf('DATABASE_SIZE', [], 'tier_free').included).toBe(databaseLimit('tier_free'))
  expect(priceOf('EGRESS', [], 'tier_free').included).toBe(5 * 1024 ** 3)
})
