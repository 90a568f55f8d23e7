import { expect, test } from 'vitest'
import { taxIdType, taxIdTypes } from '#contract/billing/tax-ids'
import { changeOf, consequencesOf, kindOf, offersFrom } from './changes.ts'
import { inStandardFont } from './invoice-text.ts'
import { addOnLines, branchLines, computeLines, sum, usageLines, type ComputeUse } from './lines.ts'

const start = new Date('2026-04-01T00:00:00Z')
const end = new Date('2026-05-01T00:00:00Z')
const period = { start, end }
const subscription = {
  organization_id: '1',
  anchor: start,
  period_start: start,
  period_end: end,
  scheduled_tier: null,
}
const hours = (count: number) => new Date(start.getTime() + count * 3_600_000)

test('upgrades are now, downgrades when the period ends, the spend cap at once', () => {
  expect(kindOf('tier_free', 'tier_pro')).toEqual({ change_type: 'upgrade', effective_at: 'now' })
  expect(kindOf('tier_payg', 'tier_team')).toEqual({ change_type: 'upgrade', effective_at: 'now' })
  expect(kindOf('tier_team', 'tier_payg')).toEqual({
    change_type: 'downgrade',
    effective_at: 'end_of_billing_period',
  })
  expect(kindOf('tier_pro', 'tier_payg')).toEqual({ change_type: 'none', effective_at: 'now' })
  expect(kindOf('tier_pro', 'tier_pro')).toEqual({ change_type: 'none', effective_at: 'none' })
  expect(
    offersFrom('tier_payg').map(({ change_type, is_current }) => [change_type, is_current]),
  ).toEqual([
    ['downgrade', false],
    ['none', true],
    ['upgrade', false],
    ['upgrade', false],
  ])
})

test('from Free a whole month begins; between paid plans the rest of the month is set off', () => {
  const half = new Date((start.getTime() + end.getTime()) / 2)
  const first = changeOf('tier_free', 'tier_pro', subscription, half)
  expect(first.restart?.start).toEqual(half)
  expect(first.lines.map(({ amount }) => amount)).toEqual([2500])
  const up = changeOf('tier_pro', 'tier_team', subscription, half)
  expect(up.restart).toBeUndefined()
  expect(up.lines.map(({ amount }) => amount)).toEqual([-1250, 29_950])
  const down = changeOf('tier_team', 'tier_pro', subscription, half)
  expect([down.at, down.lines]).toEqual([end, []])
})

test('consequences name what is lost and won', () => {
  const down = consequencesOf('tier_team', 'tier_pro', 0)
  expect(down).toContainEqual({ kind: 'loss', text: 'SSO' })
  // A certificate that nobody has is neither lost nor won.
  expect(down.some(({ text }) => text === 'SOC2' || text === 'HIPAA')).toBe(false)
  expect(down.filter(({ kind }) => kind === 'gain')).toEqual([])
  expect(consequencesOf('tier_free', 'tier_pro', 0)).toContainEqual({
    kind: 'gain',
    text: 'Email Support',
  })
  expect(
    consequencesOf('tier_pro', 'tier_free', 3).some(({ text }) => text.startsWith('Projects move')),
  ).toBe(true)
  const auth = (text: string) => text.startsWith('Auth settings that')
  // Hooks that check attempts come with Team, all the others with Pro.
  for (const [from, to, told] of [
    ['tier_pro', 'tier_free', true],
    ['tier_team', 'tier_pro', true],
    ['tier_free', 'tier_pro', false],
    ['tier_enterprise', 'tier_team', false],
  ] as const)
    expect([from, consequencesOf(from, to, 0).some(({ text }) => auth(text))]).toEqual([from, told])
})

const use = (
  ref: string,
  size: ComputeUse['size'],
  from: number,
  to: number | null,
): ComputeUse => ({
  ref,
  name: ref,
  size,
  start: hours(from),
  end: to === null ? null : hours(to),
})

test('compute: each project and size once, by the hour, less the credits of the plan', () => {
  const lines = computeLines(
    'pro',
    [
      use('a', 'small', 0, 100),
      use('a', 'small', 200, 300),
      use('a', 'micro', 100, 200),
      use('b', 'nano', -50, null),
    ],
    period,
  )
  expect(lines.map(({ description, quantity, amount }) => [description, quantity, amount])).toEqual(
    [
      ['Small compute, a', 200, 412],
      ['Micro compute, a', 100, 134],
      ['Nano compute, b', 720, 968],
      ['Compute credits', 1, -1000],
    ],
  )
  expect(sum(computeLines('pro', [use('a', 'micro', 0, 720)], period))).toBe(0)
  expect(usageLines('tier_free', [use('a', 'nano', 0, null)], [], period)).toEqual([])
  expect(computeLines('enterprise', [use('a', 'micro', 0, 720)], period)).toHaveLength(1)
})

test('branches of a project are a line by the hour that is no compute, whatever credits there are', () => {
  const branch = (ref: string, size: ComputeUse['size'], from: number, to: number | null) => ({
    ...use(ref, size, from, to),
    branch_of: 'a',
    parent_name: 'Books',
  })
  const all = [
    use('a', 'micro', 0, 100),
    branch('b', 'micro', 0, 100),
    branch('c', 'nano', 50, 250),
    branch('d', 'small', 0, 10),
    { ...branch('d', 'small', 0, 20), replica: 'abcde' },
    branch('e', 'micro', -10, 0),
  ]
  const told = (lines: ReturnType<typeof branchLines>) =>
    lines.map(({ description, quantity, unit_price, amount, project_ref }) => [
      description,
      quantity,
      unit_price,
      amount,
      project_ref,
    ])
  expect(told(branchLines('pro', all, period))).toEqual([
    ['Branches, Books', 300, 1_344_000, 403, 'a'],
    ['Branches, Small compute, Books', 10, 2_060_000, 21, 'a'],
    ['Read replicas of branches, Small compute, Books', 20, 2_060_000, 41, 'a'],
  ])
  // No hour is on two lines.
  expect(computeLines('pro', all, period).map(({ description }) => description)).toEqual([
    'Micro compute, a',
    'Compute credits',
  ])
  expect(sum(usageLines('tier_payg', all, [], period))).toBe(403 + 21 + 41)
  expect(branchLines('enterprise', all, period)).toEqual([])
  expect(usageLines('tier_free', all, [], period)).toEqual([])
})

test('add-ons cost their share of the month; further projects what the list says', () => {
  const on = (ref: string, variant: string, from: number, to: number | null) => ({
    ...use(ref, 'nano', from, to),
    variant,
  })
  const lines = addOnLines(
    [
      on('b', 'auth_mfa_phone_default', 360, null),
      on('a', 'auth_mfa_phone_default', 0, null),
      on('a', 'pitr_7', 0, 360),
    ],
    period,
  )
  expect(lines.map(({ project_ref, amount }) => [project_ref, amount])).toEqual([
    ['a', 7500],
    ['a', 5000],
    ['b', 500],
  ])
})

test('every kind of tax number knows its own example, and no other country takes it', () => {
  for (const { type, country, example } of taxIdTypes) {
    expect(taxIdType(type, country, example)?.country).toBe(country)
    expect(taxIdType(type, 'XX', example)).toBeUndefined()
    expect(taxIdType(type, country, '!')).toBeUndefined()
  }
})

test('names on paper lose no more than the standard fonts make them', () => {
  expect(inStandardFont('Zoë & Łukasz – Müller €')).toBe('Zoë & Lukasz – Müller €')
  expect(inStandardFont('ｆｕｌｌ Ťř 会社\u0007')).toBe('full Tr ???')
})
