import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { gigabyte } from '#contract/billing/usage'
import type { MeteredMetric } from '#contract/billing/usage-metrics'
import type { Tier } from '#contract/billing/plans'
import { operator, origin, startBilling, type TestBilling } from '../../testing/billing.ts'

let world: TestBilling
beforeAll(async () => {
  world = await startBilling()
})
afterAll(() => world.end())

/** As it comes from a service; no hour has it yet. */
async function used(
  organizationId: string,
  metric: MeteredMetric,
  value: number,
  at = world.now(),
) {
  await world.db
    .insertInto('platform.usage_minutes')
    .values({
      project_ref: 'p'.repeat(20),
      metric,
      minute: new Date(Math.floor(at.getTime() / 60_000) * 60_000),
      start_id: randomUUID(),
      organization_id: organizationId,
      value: String(value),
    })
    .execute()
}
const upcoming = async (slug: string) => {
  const { lines, subtotal } = await world.billing.parts.invoices.upcoming(slug)
  return { lines: lines.filter(({ kind }) => kind === 'usage'), subtotal }
}
async function billed(slug: string) {
  const { invoices } = world.billing.parts
  const { invoices: all } = await invoices.list(slug, { limit: 10, offset: 0 })
  const cycle = all.find(({ reason }) => reason === 'subscription_cycle')
  return cycle && (await invoices.detail(slug, cycle.id)).lines
}

test('what was used beyond the plan stands on the upcoming invoice, and then on the one of the cycle', async () => {
  const { id, slug } = await world.organization('tier_payg')
  world.pass(3)
  await used(id, 'egress_rest', 300 * gigabyte)
  await used(id, 'egress_storage', 20 * gigabyte)
  await used(id, 'egress_database', 30 * gigabyte)
  await used(id, 'function_invocations', 2_500_000)
  await used(id, 'realtime_messages', 5_000_000)
  const { lines: before } = await upcoming(slug)
  expect(before).toEqual([])
  await world.settleUsage()
  const { lines, subtotal } = await upcoming(slug)
  expect(lines).toMatchObject([
    {
      description: 'Egress beyond what the plan includes',
      quantity: 100,
      unit: 'gigabyte',
      unit_price: 9_000_000,
      amount: 900,
    },
    {
      description: 'Edge function invocations beyond what the plan includes',
      quantity: 500_000,
      unit: 'item',
      unit_price: null,
      amount: 200,
    },
  ])
  expect(subtotal).toBe(900 + 200 + 2500)
  // What comes in the last minutes is on it, too.
  await used(id, 'egress_rest', 100 * gigabyte)
  world.pass(31)
  await world.billing.round()
  expect((await billed(slug))?.map(({ kind, amount }) => [kind, amount])).toEqual([
    ['usage', 1800],
    ['usage', 200],
    ['plan', 2500],
  ])
  // The next cycle begins with nothing.
  expect((await upcoming(slug)).lines).toEqual([])
})

describe('what comes when the invoice of its cycle is drawn up already', () => {
  const invoices = async (slug: string) => {
    const { invoices: parts } = world.billing.parts
    const { invoices: all } = await parts.list(slug, { limit: 10, offset: 0 })
    const details = await Promise.all(all.map(({ id }) => parts.detail(slug, id)))
    return details.map(({ lines }) =>
      lines
        .filter(({ kind }) => kind === 'usage')
        .map(({ description, amount, quantity, period_end }) => [
          description,
          amount,
          quantity,
          period_end,
        ]),
    )
  }

  test('is on the next one, by what it comes to beside the rest, once', async () => {
    const { id, slug } = await world.organization('tier_payg')
    world.pass(3)
    const early = world.now()
    await used(id, 'egress_rest', 260 * gigabyte)
    await used(id, 'function_invocations', 2_400_000)
    world.pass(31)
    await world.billing.round()
    const end = (await invoices(slug))[0]?.[0]?.[3]
    await used(id, 'egress_rest', 30 * gigabyte, early)
    // Of the package that is paid for already.
    await used(id, 'function_invocations', 300_000, early)
    await used(id, 'realtime_messages', 5_000_001, early)
    await world.settleUsage()
    const late = [
      ['Egress beyond what the plan includes, counted late', 270, 30, end],
      ['Realtime messages beyond what the plan includes, counted late', 250, 1, end],
    ]
    const { lines } = await upcoming(slug)
    expect(
      lines.map((line) => [line.description, line.amount, line.quantity, line.period_end]),
    ).toEqual(late)
    world.pass(31)
    await world.billing.round()
    world.pass(31)
    await world.billing.round()
    expect((await invoices(slug)).filter((usage) => usage.length > 0)).toEqual([
      late,
      [
        ['Egress beyond what the plan includes', 90, 10, end],
        ['Edge function invocations beyond what the plan includes', 200, 400_000, end],
      ],
    ])
  })

  test('costs nothing where the cycle was of a plan that bills none, or its invoice is a partner’s', async () => {
    const { id, slug } = await world.organization('tier_pro')
    const partners = await world.organization('tier_payg')
    const setPartner = (partner: 'aws_marketplace' | null) =>
      world.db
        .updateTable('platform.organizations')
        .set({ billing_partner: partner })
        .where('id', '=', partners.id)
        .execute()
    await setPartner('aws_marketplace')
    world.pass(3)
    const early = world.now()
    world.pass(31)
    await world.billing.round()
    await setPartner(null)
    for (const of of [id, partners.id]) await used(of, 'egress_rest', 900 * gigabyte, early)
    await world.billing.parts.subscriptions.change(operator, slug, 'tier_payg', origin())
    world.pass(31)
    await world.billing.round()
    expect((await invoices(slug)).flat()).toEqual([])
    expect((await invoices(partners.slug)).flat()).toEqual([])
  })
})

test.each<[Tier]>([['tier_pro'], ['tier_free'], ['tier_enterprise']])(
  'with %s nothing beyond the plan is billed',
  async (tier) => {
    const { id, slug } = await world.organization(tier)
    world.pass(3)
    await used(id, 'egress_rest', 900 * gigabyte)
    await world.settleUsage()
    expect((await upcoming(slug)).lines).toEqual([])
    world.pass(31)
    await world.billing.round()
    expect((await billed(slug))?.filter(({ kind }) => kind === 'usage') ?? []).toEqual([])
  },
)
