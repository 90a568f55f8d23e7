import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { internalToken, startControlPlane, type Person } from '../../testing/control-plane.ts'
import type { TestControlPlane } from '../../testing/control-plane.ts'
import { newcomer, organizationOf } from '../../testing/people.ts'

let plane: TestControlPlane
let ada: Person
beforeAll(async () => {
  plane = await startControlPlane()
  ada = await newcomer(plane, 'ada')
})
afterAll(() => plane.end())

type Failing = { round: string; subject: string; failure: string; failures: number }
async function failing(): Promise<Failing[]> {
  const answer = await plane.app.inject({
    method: 'GET',
    url: '/internal/rounds',
    headers: { authorization: `Bearer ${internalToken}` },
  })
  // The contract's own parser has made it.
  return (answer.json() as { failing: Failing[] }).failing
}

/** From now on nothing can be written about this organization in a table: its row is poison. */
const poison = (table: string, organizationId: string) =>
  sql
    .raw(
      `create function poison() returns trigger language plpgsql as $$ begin
        if new.organization_id = ${organizationId} then raise 'poison'; end if; return new; end $$;
      create trigger poison before insert or update on ${table} for each row execute function poison()`,
    )
    .execute(plane.db)

test('an organization that cannot be billed holds up no other, and the operator sees it', async () => {
  const first = await organizationOf(ada, 'First', 'tier_pro')
  const bad = await organizationOf(ada, 'Bad', 'tier_pro')
  const last = await organizationOf(ada, 'Last', 'tier_pro')
  await plane.db
    .updateTable('platform.subscriptions')
    .set({
      anchor: new Date('2026-01-01T00:00:00Z'),
      period_start: new Date('2026-01-01T00:00:00Z'),
      period_end: new Date('2026-02-01T00:00:00Z'),
    })
    .execute()
  await poison('platform.billing_runs', bad.id)
  await plane.billingRound()
  const runs = await sql<{ id: string }>`
    select distinct organization_id as id from platform.billing_runs order by id`.execute(plane.db)
  expect(runs.rows).toEqual([{ id: first.id }, { id: last.id }])
  expect(await failing()).toMatchObject([
    { round: 'billing periods that have ended', subject: bad.id, failure: 'poison', failures: 1 },
  ])
})
