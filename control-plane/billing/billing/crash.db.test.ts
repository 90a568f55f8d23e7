import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleProgram, runProgram } from '#kit/testing/program'
import { startBilling, type TestBilling } from '../../testing/billing.ts'

let world: TestBilling
let program: string
beforeAll(async () => {
  world = await startBilling()
  program = await bundleProgram('control-plane/testing/billing-crash-child.ts', 'billing-crash')
})
afterAll(async () => {
  await world.end()
  await rm(program, { force: true })
})

/** Runs the program to its end, or to the failpoint, which ends it as a power cut would. */
const run = (failpoint?: string) =>
  runProgram(
    program,
    { database: world.database.adminConfig, now: world.now().toISOString() },
    failpoint,
  )

test(
  'killed at any point of an invoice run, it goes on and makes one invoice',
  { timeout: 180_000 },
  async () => {
    const { id, slug } = await world.organization('tier_pro')
    await world.used(id, 'busy', 600)
    world.pass(31)
    // Each is passed over once: the run is taken up where it was, and killed again a little later.
    for (const point of ['draft:after', 'issue:after', 'finish:after']) {
      expect(await run(`billing.cycle.${point}`), point).toBe('SIGKILL')
    }
    expect(await run()).toBe(0)
    const { invoices } = await world.billing.parts.invoices.list(slug, { limit: 10, offset: 0 })
    expect(invoices.map(({ reason, number }) => [reason, number])).toEqual([
      ['subscription_cycle', 'PL-000002'],
      ['subscription_start', 'PL-000001'],
    ])
    const entries = await world.db
      .selectFrom('platform.ledger_entries')
      .select('amount')
      .where('organization_id', '=', id)
      .execute()
    const booked = entries.reduce((sum, { amount }) => sum + Number(amount), 0)
    expect(booked).toBe(invoices.reduce((sum, { total }) => sum + total, 0))
    const jobs = await world.db
      .selectFrom('platform.jobs')
      .selectAll()
      .where('name', '=', 'billing.cycle')
      .execute()
    expect(jobs).toMatchObject([{ failure: null, finished_at: expect.any(Date) }])
  },
)
