import { describe, expect, test } from 'vitest'
import { billedApart, bytesOfPlan, gigabyte, type UsageItem } from '#contract/billing/usage'
import { barsOf, costOf, csvRows, daysOf, levelOf, shareOf } from './usage-figures.ts'
import { amountText, includedText, priceText } from './usage-words.ts'

const item = (more: Partial<UsageItem> = {}): UsageItem => ({
  metric: 'EGRESS',
  unit: 'bytes',
  usage: 0,
  included: 250 * gigabyte,
  included_per_project: false,
  unlimited: false,
  available_in_plan: true,
  pricing_strategy: 'UNIT',
  price: 9_000_000,
  price_per: gigabyte,
  overage: 0,
  capped: false,
  cost: 0,
  breakdown: [],
  project_allocations: [],
  ...more,
})

test.each([
  [74.9, 'fine'],
  [75, 'approaching'],
  [79.9, 'approaching'],
  [80, 'near'],
  [100, 'near'],
  [100.1, 'beyond'],
])('%d percent of what is included is %s', (percent, level) => {
  expect(levelOf(item({ included: 1000, usage: percent * 10 }))).toBe(level)
})

test('without a bound, and with nothing included, there is no share', () => {
  expect(shareOf(item({ included: null, unlimited: true, usage: 5 }))).toBeUndefined()
  expect(shareOf(item({ included: 0, usage: 5 }))).toBeUndefined()
})

test('where each project has its own, the fullest one counts', () => {
  const project_allocations = [
    { ref: 'a', name: 'a', usage: 9 },
    { ref: 'b', name: 'b', usage: 8 },
  ]
  const of = { included: 10, included_per_project: true, usage: 17, project_allocations }
  expect(shareOf(item(of))).toBe(0.9)
})

test('costs add up, but not what the invoice lists by itself, and not where one is unknown', () => {
  const apart = billedApart.map((metric) => item({ metric, cost: null }))
  expect(costOf([item({ cost: 5 }), item({ cost: 7 }), ...apart])).toBe(12)
  expect(costOf([item({ cost: 5 }), item({ cost: null }), ...apart])).toBeNull()
})

test('a cycle has the days that have begun, also the parts of days at its ends', () => {
  const span = { start: '2026-02-27T10:30:00.000Z', end: '2026-03-27T10:30:00.000Z' }
  expect(daysOf(span, new Date('2026-03-01T00:00:00Z'))).toEqual([
    '2026-02-27',
    '2026-02-28',
    '2026-03-01',
  ])
  expect(daysOf(span, new Date('2027-01-01T00:00:00Z'))).toHaveLength(29)
})

test('each day has a bar, with its parts in one order', () => {
  const one = (day: string, part: string, usage: number) => ({
    day,
    metric: 'EGRESS' as const,
    part,
    ref: null,
    usage,
  })
  const all = [one('2026-03-01', 'storage', 5), one('2026-03-01', 'rest', 7)]
  expect(barsOf('EGRESS', ['2026-03-01', '2026-03-02'], all, ['rest', 'storage'])).toEqual([
    {
      day: '2026-03-01',
      total: 12,
      parts: [
        { name: 'rest', usage: 7 },
        { name: 'storage', usage: 5 },
      ],
    },
    { day: '2026-03-02', total: 0, parts: [] },
  ])
  expect(csvRows(all, () => 'bytes').at(-1)).toEqual(['2026-03-01', 'EGRESS', 'rest', 7, 'bytes'])
})

describe('in words', () => {
  test.each([
    [item(), '$0.09 per GB'],
    [
      item({
        metric: 'FUNCTION_INVOCATIONS',
        unit: 'count',
        price: 200_000_000,
        price_per: 1_000_000,
        pricing_strategy: 'PACKAGE',
      }),
      '$2.00 per started 1,000,000 invocations',
    ],
    [
      item({ metric: 'MONTHLY_ACTIVE_USERS', unit: 'count', price: 325_000, price_per: 1 }),
      '$0.00325 per user',
    ],
    [item({ price: null }), undefined],
  ])('a price', (of, text) => {
    expect(priceText(of)).toBe(text)
  })

  test('what is included, and amounts', () => {
    expect(includedText(item())).toBe('250 GB')
    expect(includedText(item({ included_per_project: true, included: bytesOfPlan(0.5) }))).toBe(
      '500 MB per project',
    )
    expect(includedText(item({ unlimited: true, included: null }))).toBe('Unlimited')
    expect(includedText(item({ available_in_plan: false, included: 0 }))).toBe('Not in this plan')
    expect(amountText('hours', 13.46)).toBe('13.5 h')
    expect(amountText('count', 12_345)).toBe('12,345')
  })
})
