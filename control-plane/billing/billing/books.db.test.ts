import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SelfServiceTier } from '#contract/billing/plans'
import { ApiError } from '#kit/errors'
import { timeoutOf, runsOr } from '#kit/testing/runs'
import { ledgerStore } from './ledger-store.ts'
import { operator, origin, startBilling, type TestBilling } from '../../testing/billing.ts'

let world: TestBilling
beforeAll(async () => {
  world = await startBilling()
})
afterAll(() => world.end())

type Event =
  | { do: 'wait'; days: number }
  | { do: 'change'; tier: SelfServiceTier }
  | { do: 'use'; hours: number }
  | { do: 'top-up' | 'give'; cents: number }
  | { do: 'pay' | 'void' | 'give up'; which: number }

const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      days: fc.integer({ min: 1, max: 40 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      tier: fc.constantFrom<SelfServiceTier>('tier_free', 'tier_pro', 'tier_payg', 'tier_team'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('use' as const),
      hours: fc.integer({ min: 1, max: 1500 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('top-up' as const, 'give' as const),
      cents: fc.integer({ min: 500, max: 20_000 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('pay' as const, 'pay' as const, 'void' as const, 'give up' as const),
      which: fc.nat(20),
    }),
  },
)

type Organization = { id: string; slug: string }

/** Refusals are part of a history: an upgrade with overdue invoices, a second void. */
const allowed = async (work: Promise<unknown>) => {
  try {
    await work
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
}

async function live(organization: Organization, happening: Event): Promise<number> {
  const { parts } = world.billing
  const { id, slug } = organization
  if (happening.do === 'wait') {
    world.pass(happening.days)
    // Two control planes look at the clock at once, and one of them again.
    await Promise.all([world.billing.round(), world.billing.round()])
    await world.billing.round()
  } else if (happening.do === 'change') {
    await allowed(parts.subscriptions.change(operator, slug, happening.tier, origin()))
  } else if (happening.do === 'use') {
    await world.used(id, randomUUID().slice(0, 8), happening.hours)
  } else if ('cents' in happening) {
    if (happening.do === 'top-up') {
      await parts.payments.topUp(operator, slug, happening.cents, origin())
      return 0
    }
    await parts.operator.giveCredit({
      slug,
      amount: happening.cents,
      description: 'x',
      key: randomUUID(),
    })
    return happening.cents
  } else {
    const { invoices } = await parts.invoices.list(slug, { limit: 100, offset: 0 })
    const invoice = invoices[happening.which % Math.max(1, invoices.length)]
    if (!invoice) return 0
    const act = {
      pay: parts.payments.markPaid,
      void: parts.payments.markVoid,
      'give up': parts.payments.markUncollectible,
    }
    await allowed(act[happening.do](invoice.id))
  }
  return 0
}

async function checkBooks({ id, slug }: Organization, given: number): Promise<void> {
  const ledger = ledgerStore(world.db)
  const entries = await ledger.entriesOf(id)
  const { invoices } = await world.billing.parts.invoices.list(slug, { limit: 100, offset: 0 })
  const sum = (of: { amount: number | string }[]) =>
    of.reduce((total, { amount }) => total + Number(amount), 0)
  let owed = 0 - given
  const planned: [string, string][] = []
  const cycles: [string, string][] = []
  for (const invoice of invoices) {
    const { lines } = await world.billing.parts.invoices.detail(slug, invoice.id)
    const own = entries.filter(({ invoice_id }) => invoice_id === invoice.id)
    expect(sum(own.filter(({ key }) => key.startsWith('line:')))).toBe(invoice.total)
    expect(sum(lines)).toBe(invoice.total)
    expect(invoice.amount_due).toBe(Math.max(0, invoice.total) - invoice.credit_applied)
    expect(sum(own.filter(({ kind }) => kind === 'payment')) + invoice.amount_paid).toBe(0)
    if (invoice.status === 'void') expect(sum(own.filter(({ kind }) => kind !== 'payment'))).toBe(0)
    else owed += invoice.total
    owed -= invoice.amount_paid
    if (invoice.reason === 'credit_top_up' && invoice.status === 'paid') owed -= invoice.total
    for (const line of lines)
      if (line.kind === 'plan') planned.push([line.period_start, line.period_end])
    if (invoice.reason === 'subscription_cycle')
      cycles.push([invoice.period_start, invoice.period_end])
  }
  expect(sum(entries)).toBe(owed)
  const credit = (await ledger.outstanding(id)) - sum(entries)
  expect(credit).toBeGreaterThanOrEqual(0)
  expect((await world.billing.parts.subscriptions.get(slug)).customer_balance).toBe(credit)
  for (const spans of [planned, cycles]) {
    const inOrder = spans.toSorted(([a], [b]) => a.localeCompare(b))
    for (const [i, [from]] of inOrder.entries()) {
      const before = inOrder[i - 1]
      if (before) expect(from >= before[1], `${before[1]} is billed twice`).toBe(true)
    }
  }
  const numbers = invoices.map(({ number }) => number)
  expect(new Set(numbers).size).toBe(numbers.length)
}

test('over any history the ledger is the sum of the invoices, and no period is billed twice', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('tier_free' as const, 'tier_pro' as const, 'tier_team' as const),
      fc.array(event, { minLength: 4, maxLength: 14 }),
      async (tier, history) => {
        const organization = await world.organization(tier)
        let given = 0
        for (const happening of history) given += await live(organization, happening)
        await checkBooks(organization, given)
        // So that the next history has the rounds for itself.
        await world.remove(organization.id)
      },
    ),
    { numRuns: 12, endOnFailure: true },
  )
})

const raced = runsOr(10)
test(
  'nor over any history in which several things happen at once',
  { timeout: timeoutOf(raced) },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('tier_free' as const, 'tier_pro' as const, 'tier_team' as const),
        fc.array(fc.array(event, { minLength: 2, maxLength: 6 }), { minLength: 2, maxLength: 5 }),
        async (tier, history) => {
          const organization = await world.organization(tier)
          let given = 0
          for (const together of history) {
            const all = await Promise.all(together.map((one) => live(organization, one)))
            given += all.reduce((sum, cents) => sum + cents, 0)
          }
          await checkBooks(organization, given)
          await world.remove(organization.id)
        },
      ),
      { numRuns: raced, endOnFailure: true },
    )
  },
)

test('entries of the ledger can only be added, and an issued invoice does not change', async () => {
  const { id } = await world.organization('tier_pro')
  await expect(world.db.deleteFrom('platform.ledger_entries').execute()).rejects.toThrow(
    /only be added/,
  )
  await expect(
    world.db.updateTable('platform.ledger_entries').set({ amount: 1 }).execute(),
  ).rejects.toThrow(/only be added/)
  await expect(
    world.db
      .updateTable('platform.invoices')
      .set({ total: 1 })
      .where('organization_id', '=', id)
      .execute(),
  ).rejects.toThrow(/can not be changed/)
  await expect(
    world.db.deleteFrom('platform.invoices').where('organization_id', '=', id).execute(),
  ).rejects.toThrow(/can not be changed/)
})

test('a run that is repeated, also at once, makes one invoice', async () => {
  world.setNow(new Date('2040-02-01T00:00:00.000Z'))
  const { id, slug } = await world.organization('tier_pro')
  await world.used(id, 'busy', 1000)
  const { current_period_end: end } = await world.billing.parts.subscriptions.get(slug)
  world.setNow(new Date(end))
  const job = { id: randomUUID(), name: 'billing.cycle', subject: `${id} ${end}` }
  await Promise.all([world.run(job), world.run(job), world.billing.round(), world.billing.round()])
  await world.run(job)
  const { invoices } = await world.billing.parts.invoices.list(slug, { limit: 10, offset: 0 })
  expect(invoices.map(({ reason }) => reason)).toEqual(['subscription_cycle', 'subscription_start'])
  // 696 hours of February at $0.0206, less $10 of credits, and the next month of the plan.
  expect(invoices[0]?.total).toBe(Math.round(696 * 2.06) - 1000 + 2500)
})

test('of two upgrades at once one is charged', async () => {
  const { slug } = await world.organization('tier_free')
  const up = () => world.billing.parts.subscriptions.change(operator, slug, 'tier_team', origin())
  const both = await Promise.all([up(), up()])
  expect(both.map(({ plan }) => plan.id)).toEqual(['team', 'team'])
  const { invoices } = await world.billing.parts.invoices.list(slug, { limit: 10, offset: 0 })
  expect(invoices.map(({ total }) => total)).toEqual([59_900])
})

test('credit is bought, given, used up by the next invoice, and never taken back beyond what is there', async () => {
  const { parts } = world.billing
  const { slug } = await world.organization('tier_free')
  const top = await parts.payments.topUp(operator, slug, 1500, origin())
  expect(top).toMatchObject({ status: 'open', total: 1500, due_at: null })
  expect((await parts.subscriptions.get(slug)).customer_balance).toBe(0)
  await parts.payments.markPaid(top.id)
  await parts.payments.markPaid(top.id)
  const gift = { slug, amount: 700, description: 'Sorry', key: 'ticket-1' }
  expect(await parts.operator.giveCredit(gift)).toEqual({ balance: 2200 })
  expect(await parts.operator.giveCredit(gift)).toEqual({ balance: 2200 })
  await expect(parts.operator.giveCredit({ ...gift, amount: -2201, key: 'x' })).rejects.toThrow(
    /not enough credit/,
  )
  await parts.subscriptions.change(operator, slug, 'tier_pro', origin())
  const { invoices } = await parts.invoices.list(slug, { limit: 1, offset: 0 })
  expect(invoices[0]).toMatchObject({
    total: 2500,
    credit_applied: 2200,
    amount_due: 300,
    status: 'open',
  })
  expect((await parts.subscriptions.get(slug)).customer_balance).toBe(0)
  await parts.payments.markVoid(String(invoices[0]?.id))
  expect((await parts.subscriptions.get(slug)).customer_balance).toBe(2200)
})
