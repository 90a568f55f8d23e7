import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { gigabyte } from '#contract/billing/usage'
import type { MeteredMetric } from '#contract/billing/usage-metrics'
import type { Tier } from '#contract/billing/plans'
import { settleSending } from '../../observability/log-drains/sending-store.ts'
import { startBilling, type TestBilling } from '../../testing/billing.ts'

let world: TestBilling
beforeAll(async () => {
  world = await startBilling()
})
afterAll(() => world.end())

const hour = 3_600_000
async function project(organizationId: string, name: string) {
  const ref = Array.from(randomUUID().replaceAll('-', ''), (digit) =>
    String.fromCharCode(97 + parseInt(digit, 16)),
  ).join('')
  const { id } = await world.db
    .insertInto('platform.projects')
    .values({
      ref: ref.slice(0, 20),
      organization_id: organizationId,
      name,
      status: 'INACTIVE',
      region: 'local',
      cloud_provider: 'AWS',
      compute_size: 'micro',
      db_version: '17.10',
      sealed_secrets: '',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, ref: ref.slice(0, 20) }
}
/** As the feature makes one: the row, and then what is paid for. */
async function drain(whose: { project_id: string } | { organization_id: string }) {
  const { id } = await world.db
    .insertInto('platform.log_drains')
    .values({
      project_id: null,
      organization_id: null,
      ...whose,
      token: randomUUID(),
      name: 'Drain',
      description: '',
      type: 'webhook',
      config: '{}',
      enabled: true,
      since: world.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await settleSending(world.db, world.now())
  return async (enabled: boolean) => {
    await world.db
      .updateTable('platform.log_drains')
      .set({ enabled })
      .where('id', '=', id)
      .execute()
    await settleSending(world.db, world.now())
  }
}
async function used(organizationId: string, ref: string, metric: MeteredMetric, value: number) {
  await world.db
    .insertInto('platform.usage_minutes')
    .values({
      project_ref: ref,
      metric,
      minute: new Date(Math.floor(world.now().getTime() / 60_000) * 60_000),
      start_id: randomUUID(),
      organization_id: organizationId,
      value: String(value),
    })
    .execute()
  await world.settleUsage()
}
const upcoming = async (slug: string) =>
  (await world.billing.parts.invoices.upcoming(slug)).lines.filter(
    ({ kind, description }) => kind === 'add_on' || description.startsWith('Log drain'),
  )
const cycles = async (slug: string) => {
  const { invoices } = world.billing.parts
  const { invoices: all } = await invoices.list(slug, { limit: 10, offset: 0 })
  const ids = all.filter(({ reason }) => reason === 'subscription_cycle').map(({ id }) => id)
  const lines = await Promise.all(ids.map(async (id) => (await invoices.detail(slug, id)).lines))
  return lines.map((one) =>
    one
      .filter(({ kind, description }) => kind === 'add_on' || description.startsWith('Log drain'))
      .map(({ description, amount }) => [description, amount]),
  )
}

test('each drain is paid for while it is on, those of one project together, those of the audit log without a project', async () => {
  const { id, slug } = await world.organization('tier_team')
  const books = await project(id, 'Books')
  await drain({ project_id: books.id })
  const turn = await drain({ project_id: books.id })
  await drain({ organization_id: id })
  // The period has 28 days: it ends on the 28th of February.
  world.pass(7)
  await turn(false)
  world.pass(7)
  expect(await upcoming(slug)).toMatchObject([
    {
      description: 'Log drain, Books',
      unit: 'month',
      quantity: 0.75,
      unit_price: 6000_000_000,
      amount: 4500,
      project_ref: books.ref,
    },
    { description: 'Log drain, Audit log', quantity: 0.5, amount: 3000, project_ref: null },
  ])
  await turn(true)
  world.pass(7)
  expect((await upcoming(slug))[0]).toMatchObject({ quantity: 1.25, amount: 7500 })
  expect(await world.billing.parts.projectAddOns(books.ref)).toMatchObject({
    selected_addons: expect.arrayContaining([
      expect.objectContaining({ type: 'log_drain' }),
    ]) as unknown,
  })
  world.pass(7)
  await world.billing.round()
  expect(await cycles(slug)).toEqual([
    [
      ['Log drain, Books', 10_500],
      ['Log drain, Audit log', 6000],
    ],
  ])
})

test('what drains deliver costs from the first event on: by started millions, and by the byte', async () => {
  const { id, slug } = await world.organization('tier_team')
  const { ref } = await project(id, 'Books')
  world.pass(3)
  await used(id, ref, 'drain_events', 1_000_001)
  await used(id, ref, 'drain_bytes', 2.5 * gigabyte)
  expect(await upcoming(slug)).toMatchObject([
    {
      description: 'Log drain events',
      quantity: 1_000_001,
      unit: 'item',
      unit_price: null,
      amount: 40,
    },
    {
      description: 'Log drain bytes',
      quantity: 2.5,
      unit: 'gigabyte',
      unit_price: 9_000_000,
      amount: 23,
    },
  ])
})

test.each<[Tier]>([['tier_pro'], ['tier_payg'], ['tier_free'], ['tier_enterprise']])(
  'on %s drains are on no invoice',
  async (tier) => {
    const { id, slug } = await world.organization(tier)
    const { id: projectId, ref } = await project(id, 'Books')
    await drain({ project_id: projectId })
    world.pass(3)
    await used(id, ref, 'drain_events', 3_000_000)
    expect(await upcoming(slug)).toEqual([])
  },
)

test('a downgrade ends them with the period, to the millisecond, however late it is closed', async () => {
  const { id, slug } = await world.organization('tier_team')
  const { id: projectId, ref } = await project(id, 'Books')
  await drain({ project_id: projectId })
  const { operator } = world.billing.parts
  await world.db
    .updateTable('platform.subscriptions')
    .set({ scheduled_tier: 'tier_pro' })
    .where('organization_id', '=', id)
    .execute()
  world.pass(40)
  await world.billing.round()
  world.pass(31)
  await world.billing.round()
  expect(await cycles(slug)).toEqual([[], [['Log drain, Books', 6000]]])
  // With the plan they are back, from that moment on; the row has been there all the time.
  await operator.setStanding({ slug, tier: 'tier_team' })
  world.setNow(new Date(world.now().getTime() + 12 * hour))
  const [line] = await upcoming(slug)
  expect(line?.project_ref).toBe(ref)
  expect((line?.quantity ?? 0) * 28).toBeGreaterThan(0.4)
  expect((line?.quantity ?? 0) * 28).toBeLessThan(0.6)
})

test('a project takes its drains along: each organization pays for its own time', async () => {
  const [one, other] = [
    await world.organization('tier_team'),
    await world.organization('tier_team'),
  ]
  const { id } = await project(one.id, 'Books')
  await drain({ project_id: id })
  world.pass(14)
  await world.db
    .updateTable('platform.projects')
    .set({ organization_id: other.id })
    .where('id', '=', id)
    .execute()
  await settleSending(world.db, world.now())
  await settleSending(world.db, world.now())
  world.pass(7)
  const amounts = async (slug: string) => (await upcoming(slug)).map(({ quantity }) => quantity)
  const [before] = await amounts(one.slug)
  const [after] = await amounts(other.slug)
  expect(before).toBeCloseTo((after ?? 0) * 2, 6)
})
