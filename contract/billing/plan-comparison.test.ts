import { expect, test } from 'vitest'
import { addOnVariants, branchHourlyRate, logDrainRates } from './add-ons.ts'
import { computeSizeIds, computeSizes, hourlyRate, offersSize } from '../projects/compute-sizes.ts'
import { planLimits } from '../limits.ts'
import { formatRate, microCents } from './money.ts'
import { hasFeature, planComparison, planWith, type PlanFeatureKey } from './plan-comparison.ts'
import {
  type PlanId,
  planIds,
  planNames,
  planOfTier,
  planPriceLabels,
  tiers,
  usageIsBilled,
} from './plans.ts'
import { pricingPlans } from './pricing-plans.ts'
import { defaultRegion, defaultRegions, flyRegions, regionCodes } from '../projects/regions.ts'

const rows = planComparison.flatMap(({ features }) => [...features])
const row = (key: PlanFeatureKey) => rows.find((one) => one.key === key)

test('the comparison has its eight sections, and every row once', () => {
  expect(planComparison.map(({ title, features }) => [title, features.length])).toEqual([
    ['Database', 10],
    ['Auth', 17],
    ['Storage', 6],
    ['Edge Functions', 2],
    ['Realtime', 4],
    ['Dashboard', 2],
    ['Platform Security and Compliance', 11],
    ['Support', 7],
  ])
  expect(new Set(rows.map(({ key }) => key)).size).toBe(59)
  for (const { plans } of rows) {
    for (const plan of planIds) {
      const value = plans[plan]
      const texts = typeof value === 'boolean' ? ['-'] : typeof value === 'string' ? [value] : value
      expect(texts.length > 0 && texts.every((text) => text.trim() === text && text !== '')).toBe(
        true,
      )
    }
  }
  expect(rows.filter((one) => one.usage_based).map(({ key }) => key)).toEqual([
    'database.size',
    'database.branching',
    'database.bandwidth',
    'database.cachedEgress',
    'auth.maus',
    'auth.thirdPartyMAUs',
    'storage.size',
    'storage.transformations',
    'functions.invocations',
    'realtime.concurrentConnections',
    'realtime.messagesPerMonth',
    'security.logDrain',
  ])
})

test.each<[PlanFeatureKey, unknown, unknown, unknown]>([
  [
    'database.size',
    '500 MB database size per project included',
    ['8 GB disk size per project included', 'then $0.125 per GB'],
    'Custom',
  ],
  ['database.bandwidth', '5 GB included', ['250 GB included', 'then $0.09 per GB'], 'Custom'],
  ['database.cachedEgress', '5 GB included', ['250 GB included', 'then $0.03 per GB'], 'Custom'],
  ['database.branching', false, '$0.01344 per branch, per hour', 'Custom'],
  ['database.pausing', 'After 1 week of inactivity', 'Never', 'Never'],
  ['auth.maus', '50,000 included', ['100,000 included', 'then $0.00325 per MAU'], 'Custom'],
  ['auth.saml', false, ['50 included', 'then $0.015 per MAU'], 'Contact Us'],
  ['auth.auditTrails', '1 hour', '7 days', 'Custom'],
  ['storage.size', '1 GB included', ['100 GB included', 'then $0.021 per GB'], 'Custom'],
  ['storage.maxFileSize', '50 MB', '500 GB', 'Custom'],
  [
    'functions.invocations',
    '500,000 included',
    ['2 Million included', 'then $2 per 1 Million'],
    'Custom',
  ],
  [
    'realtime.concurrentConnections',
    '200 included',
    ['500 included', 'then $10 per 1000'],
    'Custom concurrent connections and volume discount',
  ],
  ['realtime.maxMessageSize', '250 KB', '3 MB', 'Custom'],
  ['security.logRetention', '1 day', '7 days', '90 days'],
])('%s says what the requirements say', (key, free, pro, enterprise) => {
  expect(row(key)?.plans).toMatchObject({ free, pro, enterprise })
})

const pro: PlanFeatureKey[] = [
  'database.advancedDiskConfig',
  'database.automaticBackups',
  'auth.leakedPasswordProtection',
  'auth.singleSessionPerUser',
  'auth.sessionTimeouts',
  'security.vanityUrls',
  'security.metricsEndpoint',
  'support.emailSupport',
]
const team: PlanFeatureKey[] = [
  'dashboard.auditTrails',
  'security.soc2',
  'support.emailSupportSla',
  'support.securityQuestionnaireHelp',
  'security.logDrain',
]
const enterprise: PlanFeatureKey[] = [
  'security.byoc',
  'security.uptimeSla',
  'support.designatedSupport',
  'support.onBoardingSupport',
  'support.designatedCustomerSuccessTeam',
  'storage.byoc',
]
test.each([
  ...pro.map((key) => [key, 'pro'] as const),
  ...team.map((key) => [key, 'team'] as const),
  ...enterprise.map((key) => [key, 'enterprise'] as const),
])('%s needs %s (requirements §6, plan gating)', (key, plan) => {
  expect(planWith(key)).toBe(plan)
  const from = planIds.indexOf(plan)
  expect(planIds.map((id) => hasFeature(id, key))).toEqual(planIds.map((_, i) => i >= from))
})

test('parts of rows hold for the plans whose cells name them', () => {
  const cell = (key: PlanFeatureKey, plan: PlanId) => String(row(key)?.plans[plan])
  for (const plan of planIds) {
    const roles = cell('security.accessRoles', plan)
    expect([plan, hasFeature(plan, 'auth.authHooks.all')]).toEqual([
      plan,
      cell('auth.authHooks', plan) === 'All',
    ])
    // The largest plan's cell names only what it has beyond the others.
    const largest = plan === 'enterprise'
    expect([plan, hasFeature(plan, 'security.accessRoles.readOnly')]).toEqual([
      plan,
      largest || roles.includes('Read-only'),
    ])
    expect([plan, hasFeature(plan, 'security.accessRoles.perProject')]).toEqual([
      plan,
      roles.includes('roject scoped roles'),
    ])
    expect([plan, hasFeature(plan, 'security.accessRoles.customPerProject')]).toEqual([
      plan,
      roles.includes('Custom'),
    ])
  }
  expect(planWith('auth.authHooks.all')).toBe('team')
})

test('tiers, labels and who is billed for usage', () => {
  expect(tiers).toEqual(['tier_free', 'tier_pro', 'tier_payg', 'tier_team', 'tier_enterprise'])
  expect(Object.values(planPriceLabels)).toEqual([
    'Free - $0/month',
    'Pro - $25/month',
    'Team - $599/month',
    'Enterprise - custom',
  ])
  expect(tiers.map((tier) => planOfTier[tier])).toEqual([
    'free',
    'pro',
    'pro',
    'team',
    'enterprise',
  ])
  expect(tiers.filter((tier) => usageIsBilled[tier])).toEqual([
    'tier_payg',
    'tier_team',
    'tier_enterprise',
  ])
})

test('the cards lead to new-project pages with their plan, Enterprise to the contact form', () => {
  expect(pricingPlans.map(({ name }) => name)).toEqual(Object.values(planNames))
  expect(pricingPlans.map(({ href }) => href.split('?')[0])).toEqual([
    '/new',
    '/new',
    '/new',
    '/support/new',
  ])
  expect(
    pricingPlans.map(({ href }) => new URLSearchParams(href.split('?')[1]).get('plan')),
  ).toEqual(['free', 'pro', 'team', null])
  expect(pricingPlans.map(({ priceMonthly }) => priceMonthly)).toEqual([0, 25, 599, 'Custom'])
  expect(pricingPlans.map(({ cta }) => cta)).toEqual([
    'Start for Free',
    'Get Started',
    'Get Started',
    'Contact Us',
  ])
  for (const { planId, priceMonthly } of pricingPlans) {
    const cents = planLimits[planId].monthlyPriceCents
    expect(cents).toBe(typeof priceMonthly === 'number' ? priceMonthly * 100 : null)
  }
  expect(pricingPlans[0]?.footer).toBe(
    'Free projects are paused after 1 week of inactivity. Limit of 2 active projects.',
  )
})

test('limits are the numbers of requirements §9', () => {
  const mb = 1024 * 1024
  expect(planLimits.free).toMatchObject({
    activeProjects: 2,
    pausesAfterDays: 7,
    logRetentionDays: 1,
    authAuditHours: 1,
    maxUploadBytes: 50 * mb,
    maxRealtimeMessageBytes: 250 * 1024,
    functionInvocations: { included: 500_000, price: null },
    realtimeConnections: { included: 200 },
    realtimeMessages: { included: 2_000_000 },
    monthlyActiveUsers: { included: 50_000 },
  })
  expect(planLimits.pro).toMatchObject({
    computeCreditsCents: 1000,
    logRetentionDays: 7,
    backupRetentionDays: 7,
    maxUploadBytes: 500 * 1024 * mb,
    maxRealtimeMessageBytes: 3 * mb,
    monthlyActiveUsers: { included: 100_000, price: microCents(0.00325) },
    imageTransformations: { included: 100, price: microCents(5), per: 1000 },
    functionInvocations: { included: 2_000_000, price: microCents(2), per: 1_000_000 },
    realtimeConnections: { included: 500, price: microCents(10), per: 1000 },
    realtimeMessages: { included: 5_000_000, price: microCents(2.5), per: 1_000_000 },
    samlUsers: { included: 50, price: microCents(0.015) },
  })
  expect(planLimits.team).toMatchObject({
    logRetentionDays: 28,
    authAuditHours: 672,
    backupRetentionDays: 14,
  })
  expect(planLimits.team.egressGb).toEqual(planLimits.pro.egressGb)
  expect(planLimits.enterprise.logRetentionDays).toBe(90)
})

test('compute sizes: the figures of the requirements, prices and who may have which', () => {
  expect(computeSizes.micro).toMatchObject({
    memoryGb: 0.5,
    dedicated: false,
    directConnections: 30,
    poolerConnections: 200,
    baselineDiskMbs: 43,
    maxDiskMbs: 2085,
  })
  expect(computeSizes.small).toMatchObject({
    memoryGb: 1,
    cpu: '2-core CPU',
    dedicated: false,
    directConnections: 60,
    poolerConnections: 200,
    baselineDiskMbs: 87,
    maxDiskMbs: 2085,
  })
  expect(computeSizeIds).toHaveLength(11)
  expect(computeSizeIds.filter((id) => offersSize('free', id))).toEqual(['nano'])
  expect(computeSizeIds.filter((id) => !offersSize('team', id))).toEqual(['nano'])
  expect(hourlyRate('free', 'nano')).toBe(0)
  // A project that was made on Free is billed as the smallest size of its paid plan.
  expect(hourlyRate('pro', 'nano')).toBe(microCents(0.01344))
  expect(hourlyRate('pro', '16xlarge')).toBe(microCents(5.12))
})

test('add-ons and their prices', () => {
  const price = (id: string) => {
    const found = addOnVariants.find(({ identifier }) => identifier === id)
    return found && [found.price_interval, formatRate(found.rate)]
  }
  expect(price('ci_micro')).toEqual(['hourly', '$0.01344'])
  expect(price('cd_default')).toEqual(['monthly', '$10.00'])
  expect(price('pitr_7')).toEqual(['monthly', '$100.00'])
  expect(price('pitr_28')).toEqual(['monthly', '$400.00'])
  expect(price('log_drain_default')).toEqual(['monthly', '$60.00'])
  const phone = addOnVariants.find(({ type }) => type === 'auth_mfa_phone')
  expect([phone?.rate, phone?.additionalRate]).toEqual([microCents(75), microCents(10)])
  expect([logDrainRates.perMillionEvents, logDrainRates.perGb]).toEqual([
    microCents(0.2),
    microCents(0.09),
  ])
  expect(branchHourlyRate).toBe(microCents(0.01344))
  expect(new Set(addOnVariants.map(({ identifier }) => identifier)).size).toBe(addOnVariants.length)
})

test('regions and their defaults', () => {
  expect(regionCodes).toEqual([
    'us-west-1',
    'us-east-1',
    'us-east-2',
    'ca-central-1',
    'eu-west-1',
    'eu-west-2',
    'eu-west-3',
    'eu-central-1',
    'eu-central-2',
    'eu-north-1',
    'ap-south-1',
    'ap-southeast-1',
    'ap-northeast-1',
    'ap-northeast-2',
    'ap-southeast-2',
    'sa-east-1',
  ])
  expect(flyRegions.map(({ code }) => code)).toEqual(['sin'])
  expect(defaultRegions).toEqual({
    Americas: 'us-east-1',
    Europe: 'eu-central-1',
    APAC: 'ap-southeast-1',
  })
  expect(defaultRegion).toEqual({ production: 'us-east-2', other: 'ap-southeast-1' })
})
