import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { MeteredMetric, SightingKind } from '#contract/billing/usage-metrics'
import { silentLog } from '#kit/log'
import { createSubjects } from '#kit/subjects'
import {
  internalToken,
  startControlPlane,
  type TestControlPlane,
} from '../../testing/control-plane.ts'
import { newcomer, organizationOf } from '../../testing/people.ts'
import { insertProject, ownRef } from '../../testing/victim.ts'
import { createRollUp, type RollUp } from './roll-up-store.ts'
import { sizeStore } from './sizes-store.ts'
import { createSizes } from './sizes.ts'

let plane: TestControlPlane
let now = new Date('2026-03-10T12:34:56Z')
let organization: { id: string; slug: string }
let other: { id: string; slug: string }
let rollUp: RollUp

beforeAll(async () => {
  plane = await startControlPlane(undefined, undefined, { now: () => now })
  const ada = await newcomer(plane, 'ada')
  organization = await organizationOf(ada, 'Acme')
  other = await organizationOf(ada, 'Other')
  await insertProject(plane, organization.id, ownRef)
  rollUp = createRollUp(plane.db, () => now)
})
afterAll(() => plane.end())
beforeEach(async () => {
  now = new Date('2026-03-10T12:34:56Z')
  for (const table of ['minutes', 'hours', 'days', 'sightings'])
    await sql`truncate ${sql.table(`platform.usage_${table}`)}`.execute(plane.db)
})

const start = randomUUID()
const minuteOf = (time: string) => Date.parse(`2026-${time}Z`) / 60_000
const bucket = (time: string, value: number, more: object = {}) => ({
  start,
  ref: ownRef,
  metric: 'egress_rest' satisfies MeteredMetric as MeteredMetric,
  minute: minuteOf(time),
  value,
  ...more,
})
const sighting = (time: string, hash: string, more: object = {}) => ({
  ref: ownRef,
  kind: 'users' satisfies SightingKind as SightingKind,
  hash: hash.repeat(22),
  minute: minuteOf(time),
  ...more,
})
async function send(buckets: object[], sightings: object[] = [], token = internalToken) {
  const answer = await plane.app.inject({
    method: 'POST',
    url: '/internal/usage',
    headers: { authorization: `Bearer ${token}` },
    payload: { buckets, sightings },
  })
  return { status: answer.statusCode, body: answer.json() as Record<string, unknown> }
}
const hours = async () => {
  const rows = await plane.db
    .selectFrom('platform.usage_hours')
    .selectAll()
    .orderBy('metric')
    .orderBy('hour')
    .orderBy('organization_id')
    .execute()
  return rows.map(({ metric, hour, value }) => [
    metric,
    hour.toISOString().slice(5, 16),
    Number(value),
  ])
}
const days = async () => {
  const rows = await sql<{ metric: string; day: string; value: string; hours: number }>`
    select metric, day::text, value, hours from platform.usage_days order by metric, day`.execute(
    plane.db,
  )
  return rows.rows.map(({ metric, day, value, hours: n }) => [metric, day, Number(value), n])
}

describe('refused', () => {
  test('who is none of our own programs', async () => {
    expect((await send([bucket('03-10T12:00', 1)], [], 'x')).status).toBe(401)
  })

  test.each([
    ['less than nothing', bucket('03-10T12:00', -1)],
    ['half a byte', bucket('03-10T12:00', 0.5)],
    ['an unknown metric', bucket('03-10T12:00', 1, { metric: 'gold' })],
    ['a size, which nobody but us measures', bucket('03-10T12:00', 1, { metric: 'disk_size' })],
    ['a minute that is none', bucket('03-10T12:00', 1, { minute: 'now' })],
    ['a start that is none', bucket('03-10T12:00', 1, { start: 'x' })],
  ])('%s', async (_, one) => {
    expect((await send([one])).status).toBe(400)
  })

  test.each([
    ['a name in the place of a digest', sighting('03-10T12:00', 'A', { hash: 'ada@example.com' })],
    ['another kind', sighting('03-10T12:00', 'A', { kind: 'cats' })],
  ])('%s', async (_, one) => {
    expect((await send([], [one])).status).toBe(400)
  })

  test('more than a thousand at once', async () => {
    const many = Array.from({ length: 1001 }, () => bucket('03-10T12:00', 1))
    expect((await send(many)).status).toBe(400)
  })

  test('what is older than a week or of a time to come, while the rest is taken', async () => {
    const all = [
      bucket('03-03T12:34', 1),
      bucket('03-03T12:33', 1),
      bucket('03-10T13:35', 1),
      bucket('03-10T13:34', 1),
    ]
    expect(await send(all, [sighting('03-03T12:33', 'A')])).toMatchObject({
      status: 200,
      body: { kept: 2, refused: 3 },
    })
  })
})

test('values are absolute: what comes again, in any order, changes nothing', async () => {
  await send([bucket('03-10T12:00', 5), bucket('03-10T12:00', 9), bucket('03-10T12:00', 7)])
  await send([bucket('03-10T12:00', 3)])
  await send([bucket('03-10T12:00', 9)])
  await rollUp.run()
  expect(await hours()).toEqual([['egress_rest', '03-10T12:00', 9]])
  await send([bucket('03-10T12:00', 10)])
  await rollUp.run()
  await rollUp.run()
  expect(await hours()).toEqual([['egress_rest', '03-10T12:00', 10]])
})

test('unknown projects are passed over', async () => {
  expect(await send([bucket('03-10T12:00', 5, { ref: 'z'.repeat(20) })])).toMatchObject({
    status: 200,
  })
  await rollUp.run()
  expect(await hours()).toEqual([])
})

test('minutes become hours, and hours days; later ones are added to theirs', async () => {
  await send([
    bucket('03-09T23:59', 1),
    bucket('03-10T00:00', 2),
    bucket('03-10T11:59', 4),
    bucket('03-10T12:00', 8),
    bucket('03-10T12:01', 16),
    bucket('03-10T12:01', 32, { start: randomUUID() }),
  ])
  await rollUp.run()
  const rolled = [
    ['egress_rest', '03-09T23:00', 1],
    ['egress_rest', '03-10T00:00', 2],
    ['egress_rest', '03-10T11:00', 4],
    ['egress_rest', '03-10T12:00', 56],
  ]
  expect(await hours()).toEqual(rolled)
  expect(await days()).toEqual([
    ['egress_rest', '2026-03-09', 1, 1],
    ['egress_rest', '2026-03-10', 62, 3],
  ])
  // Done again from the beginning it says the same.
  await sql`update platform.usage_minutes set stale = true`.execute(plane.db)
  await sql`update platform.usage_hours set value = 7`.execute(plane.db)
  await rollUp.run()
  expect(await hours()).toEqual(rolled)
  await send([bucket('03-09T23:58', 100)])
  await rollUp.run()
  expect((await hours())[0]).toEqual(['egress_rest', '03-09T23:00', 101])
  expect((await days())[0]).toEqual(['egress_rest', '2026-03-09', 101, 1])
})

test('of levels the highest minute counts, added up over processes', async () => {
  const [a, b, c] = [randomUUID(), randomUUID(), randomUUID()]
  const level = (of: string, time: string, value: number) =>
    bucket(time, value, { start: of, metric: 'realtime_connections' })
  await send([
    level(a, '03-10T12:00', 10),
    level(b, '03-10T12:00', 5),
    level(a, '03-10T12:01', 30),
    level(b, '03-10T12:01', 5),
    level(a, '03-10T12:02', 12),
    level(b, '03-10T12:02', 12),
  ])
  await rollUp.run()
  expect(await hours()).toEqual([['realtime_connections', '03-10T12:00', 35]])
  // Another one takes the place of the first: the same connections are there twice within one minute.
  await send([
    level(c, '03-10T12:02', 14),
    level(c, '03-10T12:03', 14),
    level(b, '03-10T12:03', 12),
  ])
  await rollUp.run()
  expect(await hours()).toEqual([['realtime_connections', '03-10T12:00', 35]])
  expect(await days()).toEqual([['realtime_connections', '2026-03-10', 35, 1]])
})

test('a project that changes hands is counted to whom it belonged at each minute', async () => {
  const at = (time: string) => new Date(`2026-${time}Z`)
  const span = (organization_id: string, from: string, until: string | null) => ({
    organization_id,
    project_ref: ownRef,
    project_name: 'Own',
    compute_size: 'nano' as const,
    started_at: at(from),
    ended_at: until === null ? null : at(until),
  })
  await plane.db.deleteFrom('platform.compute_usage').execute()
  await plane.db
    .insertInto('platform.compute_usage')
    .values([
      span(organization.id, '03-01T00:00', '03-10T10:00'),
      span(other.id, '03-10T10:00', null),
    ])
    .execute()
  await send([bucket('03-10T09:59', 1), bucket('03-10T10:00', 2)], [sighting('03-10T10:00', 'A')])
  await rollUp.run()
  const rows = await plane.db
    .selectFrom('platform.usage_days')
    .select(['organization_id', 'value'])
    .orderBy('value')
    .execute()
  expect(rows).toEqual([
    { organization_id: organization.id, value: '1' },
    { organization_id: other.id, value: '2' },
  ])
  await plane.db.deleteFrom('platform.compute_usage').execute()
})

test('minutes go after a week, when their hour has them; hours after thirteen months; days stay', async () => {
  await send([bucket('03-10T12:00', 1)])
  await rollUp.run()
  await send([bucket('03-10T12:01', 1)])
  now = new Date('2026-03-17T15:00:00Z')
  await rollUp.prune()
  const minutes = () => plane.db.selectFrom('platform.usage_minutes').select('minute').execute()
  // The one that no hour has is kept.
  expect(await minutes()).toHaveLength(1)
  now = new Date('2027-04-09T12:00:00Z')
  await rollUp.prune()
  expect(await hours()).toHaveLength(1)
  now = new Date('2027-04-10T14:00:00Z')
  await rollUp.prune()
  expect(await hours()).toEqual([])
  expect(await days()).toHaveLength(1)
})

test('who was seen is forgotten after thirteen months, but not while the cycle still goes on', async () => {
  await sql`truncate platform.usage_sightings`.execute(plane.db)
  const organization_id = organization.id
  const seen = (hash: string, cycle: string, at: string) => ({
    organization_id,
    project_ref: ownRef,
    kind: 'users' as const,
    cycle_start: new Date(cycle),
    hash: Buffer.from(hash),
    seen_at: new Date(at),
  })
  await plane.db
    .insertInto('platform.usage_sightings')
    .values([
      seen('old', '2026-02-20T00:00:00Z', '2026-03-09T00:00:00Z'),
      seen('late', '2026-02-20T00:00:00Z', '2026-03-10T13:00:00Z'),
      seen('new', '2026-03-20T00:00:00Z', '2026-03-20T00:00:00Z'),
    ])
    .execute()
  now = new Date('2027-04-10T12:00:00Z')
  await rollUp.prune()
  const { rows } = await sql<{ hash: string }>`
    select convert_from(hash, 'utf8') as hash from platform.usage_sightings order by seen_at`.execute(
    plane.db,
  )
  expect(rows.map(({ hash }) => hash)).toEqual(['late', 'new'])
})

test('sizes are those of the last measurement of each hour, and a paused project keeps its last', async () => {
  let asked = 0
  const sizes = createSizes({
    store: sizeStore(plane.db),
    now: () => now,
    each: createSubjects(silentLog).each,
    storedBytes: async () => 1000 + ++asked,
  })
  const setStatus = (status: 'ACTIVE_HEALTHY' | 'INACTIVE') =>
    plane.db.updateTable('platform.projects').set({ status }).where('ref', '=', ownRef).execute()
  await setStatus('ACTIVE_HEALTHY')
  const project = await plane.db
    .selectFrom('platform.projects')
    .select('id')
    .where('ref', '=', ownRef)
    .executeTakeFirstOrThrow()
  const measure = (database_bytes: number, other_bytes: number) =>
    plane.db
      .insertInto('platform.project_disk')
      .values({
        project_id: project.id,
        measured_at: now,
        database_bytes: String(database_bytes),
        other_bytes: String(other_bytes),
        state: 'ok',
        writable_until: null,
      })
      .onConflict((conflict) =>
        conflict.column('project_id').doUpdateSet({
          database_bytes: String(database_bytes),
          other_bytes: String(other_bytes),
        }),
      )
      .execute()
  await measure(100, 7)
  await sizes.round()
  await measure(200, 7)
  await sizes.round()
  now = new Date('2026-03-10T13:00:00Z')
  await measure(300, 9)
  await setStatus('INACTIVE')
  await sizes.round()
  await sizes.round()
  expect(asked).toBe(1)
  expect(await hours()).toEqual([
    ['database_size', '03-10T12:00', 200],
    ['database_size', '03-10T13:00', 300],
    ['disk_size', '03-10T12:00', 207],
    ['disk_size', '03-10T13:00', 309],
    ['storage_size', '03-10T12:00', 1001],
    ['storage_size', '03-10T13:00', 1001],
  ])
  expect(await days()).toEqual([
    ['database_size', '2026-03-10', 500, 2],
    ['disk_size', '2026-03-10', 516, 2],
    ['storage_size', '2026-03-10', 2002, 2],
  ])
})
