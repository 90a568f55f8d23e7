import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { trashHolds } from '#contract/projects/trash'
import { organizationOf } from '../../testing/people.ts'
import { dayMs, trashBench, waitingSince } from '../../testing/trash.ts'
import { startWorld, type World } from '../../testing/world.ts'

let world: World
let bench: ReturnType<typeof trashBench>
let now: Date

beforeAll(async () => {
  now = new Date()
  world = await startWorld('', { trashDays: 30, now: () => now })
  bench = trashBench(world)
})
afterAll(() => world.end())
beforeEach(() => {
  now = new Date()
})

test('who is removed by hand, or by the clock, leaves nothing, and not before', async () => {
  const { compute, trashRound, reconcile } = world.control
  const [hand, clock] = [await world.createProject('Hand'), await world.createProject('Clock')]
  await bench.discard(hand.ref)
  await bench.discard(clock.ref)
  now = new Date(Date.now() + 29 * dayMs)
  await trashRound()
  expect((await bench.trashed()).map(({ name }) => name).toSorted()).toEqual(['Clock', 'Hand'])
  expect(await compute.list()).toEqual(expect.arrayContaining([hand.ref, clock.ref]))

  expect((await bench.removeNow(hand.ref)).status).toBe(200)
  await expect.poll(bench.trashed).toMatchObject([{ name: 'Clock' }])
  now = new Date(Date.now() + 31 * dayMs)
  await trashRound()
  await expect.poll(bench.trashed).toEqual([])
  for (const gone of [hand.ref, clock.ref]) {
    expect(await compute.list()).not.toContain(gone)
    expect(await bench.row(gone)).toMatchObject({
      status: 'REMOVED',
      sealed_secrets: '',
      job_id: null,
      deleted_at: null,
    })
    expect((await bench.restore(gone)).body).toMatchObject({ code: 'project_not_found' })
  }
  await reconcile()
  const actions = await world.control.db
    .selectFrom('platform.audit_entries')
    .select(['action', 'target'])
    .where('action', 'in', ['trash.remove', 'trash.expire'])
    .orderBy('id')
    .execute()
  expect(actions).toEqual([
    { action: 'trash.remove', target: `project:${hand.ref}` },
    { action: 'trash.expire', target: `project:${clock.ref}` },
  ])
})

test('a removal that gave up is taken up again', async () => {
  const { db, compute, trashRound } = world.control
  const made = await world.createProject('Stuck')
  await bench.discard(made.ref)
  const job = await db
    .insertInto('platform.jobs')
    .values({ name: 'project.purge', subject: made.ref, finished_at: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .updateTable('platform.projects')
    .set({ job_id: job.id })
    .where('ref', '=', made.ref)
    .execute()
  expect(await bench.trashed()).toMatchObject([{ ref: made.ref, state: 'removing' }])
  expect((await bench.restore(made.ref)).body).toMatchObject({ code: 'project_busy' })
  await trashRound()
  await expect.poll(bench.trashed).toEqual([])
  expect(await compute.list()).not.toContain(made.ref)
})

test('what could not even be made is not kept', async () => {
  const unmade = await bench.bare('Unmade', { status: 'INIT_FAILED' })
  expect((await world.ada.call('DELETE', bench.at(unmade))).status).toBe(200)
  await bench.reaches('REMOVED', unmade)
  expect(await bench.row(unmade)).toMatchObject({ deleted_at: null })
  expect(await bench.trashed()).toEqual([])
})

test('an organization goes when its trash is empty', async () => {
  const made = await world.ada.call('POST', '/platform/organizations', {
    name: 'Brief',
    kind: 'PERSONAL',
    tier: 'tier_free',
  })
  const { id: organization_id } = made.body
  const gone = await bench.bare('Gone', {
    ...waitingSince(now),
    organization_id: String(organization_id),
  })
  expect(await world.ada.call('DELETE', '/platform/organizations/brief')).toMatchObject({
    status: 409,
    body: { code: 'organization_not_empty' },
  })
  expect(
    (await world.ada.call('DELETE', `/platform/organizations/brief/trash/${gone}`)).status,
  ).toBe(200)
  await expect.poll(async () => (await bench.row(gone)).deleted_at).toBeNull()
  expect((await world.ada.call('DELETE', '/platform/organizations/brief')).status).toBe(200)
})

test('the trash holds the last few, and on Free those of one person over all of their organizations', async () => {
  const { db, trashRound } = world.control
  const tier = (value: 'tier_free' | 'tier_pro') =>
    db.updateTable('platform.organizations').set({ tier: value }).execute()
  const other = await organizationOf(world.ada, 'Other', 'tier_pro')
  const old = new Date(now.getTime() - 2 * dayMs)
  const by = { ...waitingSince(old), deleted_by: world.ada.userId }
  const elsewhere = await bench.bare('Elsewhere', { ...by, organization_id: other.id })
  const older = await Promise.all(
    Array.from({ length: trashHolds.free - 1 }, (_, at) =>
      bench.bare(`Old ${at}`, {
        ...by,
        deleted_at: new Date(old.getTime() + (1 + at) * 1000),
      }),
    ),
  )
  const left = async () =>
    (
      await db
        .selectFrom('platform.projects')
        .select('ref')
        .where('ref', 'in', [elsewhere, ...older])
        .where('removed_for_good_at', '>', now)
        .execute()
    ).length
  const [paid, next] = [await world.createProject('Paid'), await world.createProject('Next')]
  await bench.discard(paid.ref)
  expect(await left()).toBe(trashHolds.free)

  await tier('tier_free')
  await bench.discard(next.ref)
  // The last five are these two and three of those before.
  expect(await left()).toBe(trashHolds.free - 2)
  await trashRound()
  await expect.poll(async () => (await bench.row(elsewhere)).deleted_at).toBeNull()
  await tier('tier_pro')
})
