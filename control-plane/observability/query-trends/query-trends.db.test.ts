import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Statement } from '#contract/observability/query-performance'
import { silentLog } from '#kit/log'
import {
  startControlPlane,
  type Person,
  type TestControlPlane,
} from '../../testing/control-plane.ts'
import { newcomer, organizationOf } from '../../testing/people.ts'
import { insertProject, ownRef } from '../../testing/victim.ts'
import { createCollector } from './collector.ts'
import { trendStore } from './store.ts'
import { trendOf } from './trend.ts'

let plane: TestControlPlane
let ada: Person
let statements: Statement[] | undefined | Error

const statement = (queryid: string, calls: number): Statement => ({
  queryid,
  query: 'select $1',
  role: 'postgres',
  calls,
  total_time: calls * 2,
  mean_time: 2,
  min_time: 1,
  max_time: 3,
  rows: calls,
  cache_hit: null,
  share: 1,
})

beforeAll(async () => {
  plane = await startControlPlane()
  ada = await newcomer(plane, 'ada')
  await insertProject(plane, (await organizationOf(ada, 'Mine')).id, ownRef)
})
afterAll(() => plane.end())

/** A new collector has tried nothing yet; the last look lies an hour back. */
async function look(): Promise<void> {
  const store = trendStore(plane.db)
  await sql`update platform.query_samples set taken_at = taken_at - interval '1 hour'`.execute(
    plane.db,
  )
  await sql`update platform.projects set status = 'ACTIVE_HEALTHY'`.execute(plane.db)
  const collect = createCollector({
    store,
    readStatements: () =>
      statements instanceof Error ? Promise.reject(statements) : Promise.resolve(statements),
    log: silentLog,
  })
  await collect()
  // Nothing more is due before a quarter of an hour has gone by.
  statements = [statement('-7', 1_000_000)]
  await collect()
  // So that nothing looks for a database that was never there.
  await sql`update platform.projects set status = 'INACTIVE'`.execute(plane.db)
}
const trend = async (queryid: string) =>
  (await ada.call('GET', `/platform/projects/${ownRef}/query-performance/trend?queryid=${queryid}`))
    .body['points'] as { calls: number; time: number }[]
const samples = async () =>
  (await plane.db.selectFrom('platform.query_samples').select('taken_at').execute()).length

test('a query id is a number', async () => {
  const url = `/platform/projects/${ownRef}/query-performance/trend?queryid=1;drop`
  expect((await ada.call('GET', url)).status).toBe(400)
})

test('what a statement did between looks, over a reset, a quiet hour and a database that is away', async () => {
  for (const calls of [10, 30]) {
    statements = [statement('-7', calls)]
    await look()
  }
  expect(await trend('-7')).toMatchObject([{ calls: 20, time: 40 }])
  statements = [statement('-7', 30)]
  await look()
  expect(await samples()).toBe(2)
  statements = new Error('away')
  await look()
  statements = undefined
  await look()
  expect(await samples()).toBe(2)
  statements = [statement('-7', 5)]
  await look()
  expect((await trend('-7')).map(({ calls }) => calls)).toEqual([20, 5])
  expect(await trend('8')).toEqual([])
})

test('what is older than a week is forgotten', async () => {
  await sql`update platform.query_samples set taken_at = taken_at - interval '8 days'`.execute(
    plane.db,
  )
  await trendStore(plane.db).prune()
  expect(await samples()).toBe(0)
})

test('a look at which the statement was not among the busiest leaves no gap and no negative figure', () => {
  const at = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour))
  const points = trendOf([
    { taken_at: at(1), figure: [1, 10, 0] },
    { taken_at: at(2), figure: null },
    { taken_at: at(3), figure: [4, 12.5, 9] },
  ])
  expect(points).toEqual([{ at: '2026-01-01T03:00:00.000Z', calls: 3, time: 2.5, rows: 9 }])
})
