import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { MeteredMetric } from '#contract/billing/usage-metrics'
import type { ProjectStatus } from '#contract/projects/project-status'
import { startWorld, type World } from '../../testing/world.ts'
import { internalToken } from '../../testing/control-plane.ts'
import { mailStore } from '../../operations/mailbox/store.ts'

let world: World
let now = new Date()
const dayMs = 86_400_000

beforeAll(async () => {
  world = await startWorld('create table notes (id int primary key)', { now: () => now })
  await setTier('tier_free')
})
afterAll(() => world.end())
afterEach(async () => {
  await setTier('tier_free')
  if ((await status()) === 'INACTIVE') await resume()
  // The clock of the database is the machine's, so that each test begins with a use of its own.
  await request()
})

const pass = (days: number) => {
  now = new Date(now.getTime() + days * dayMs)
}
const setTier = (tier: 'tier_free' | 'tier_pro') =>
  world.control.db.updateTable('platform.organizations').set({ tier }).execute()
/** Not over HTTP, which would be a use. */
async function status(): Promise<ProjectStatus> {
  const row = await world.control.db
    .selectFrom('platform.projects')
    .select('status')
    .where('ref', '=', world.ref)
    .executeTakeFirstOrThrow()
  return row.status
}
const becomes = (wanted: ProjectStatus) => expect.poll(status).toBe(wanted)
async function resume() {
  expect((await world.ada.call('POST', `/platform/projects/${world.ref}/restore`)).status).toBe(200)
  await becomes('ACTIVE_HEALTHY')
}
async function counted(metric: MeteredMetric) {
  const bucket = {
    start: randomUUID(),
    ref: world.ref,
    metric,
    minute: Math.floor(now.getTime() / 60_000),
    value: 1,
  }
  const { statusCode } = await world.control.app.inject({
    method: 'POST',
    url: '/internal/usage',
    headers: { authorization: `Bearer ${internalToken}` },
    payload: { buckets: [bucket], sightings: [] },
  })
  expect(statusCode).toBe(200)
}
const request = () => counted('requests_rest')
const look = async () => {
  await world.control.inactivityRound()
  return status()
}
const mails = async () =>
  (await mailStore(world.control.db).list(50, world.ada.email))
    .filter(({ subject }) => subject.includes('will be paused'))
    .map(({ subject }) => subject)

test('a mail and a notice on day 6, the pause on day 7, and one click begins the week anew', async () => {
  await request()
  pass(5.9)
  expect(await look()).toBe('ACTIVE_HEALTHY')
  expect(await mails()).toEqual([])
  pass(0.2)
  await look()
  await look()
  await expect.poll(mails).toHaveLength(1)
  pass(0.8)
  expect(await look()).toBe('ACTIVE_HEALTHY')
  pass(0.3)
  await look()
  await becomes('INACTIVE')
  const titles = await world.control.db
    .selectFrom('platform.notifications')
    .select(['title', 'message'])
    .where('user_id', '=', world.ada.userId)
    .orderBy('inserted_at')
    .execute()
  expect(titles.map(({ title }) => title)).toEqual([
    expect.stringMatching(/ will be paused on \d\d \w{3}, \d{4}$/),
    expect.stringMatching(/ is paused$/),
  ])
  expect(titles[1]?.message).toContain('Nobody has used it for 7 days')
  await resume()
  await request()
  pass(5.9)
  expect(await look()).toBe('ACTIVE_HEALTHY')
  expect((await mails()).length).toBe(1)
})

test.each([
  ['a request', () => counted('requests_storage')],
  ['a direct connection', () => counted('database_connections')],
  [
    'somebody in the dashboard',
    async () => {
      expect((await world.ada.call('GET', `/platform/projects/${world.ref}`)).status).toBe(200)
      const seen = () =>
        world.control.db
          .selectFrom('platform.project_activity')
          .select('seen_at')
          .executeTakeFirst()
      await expect.poll(async () => (await seen())?.seen_at).toEqual(now)
    },
  ],
])('%s is a use', async (_, use) => {
  await request()
  pass(6.5)
  await look()
  await use()
  pass(1)
  expect(await look()).toBe('ACTIVE_HEALTHY')
  pass(5.5)
  await look()
  pass(1)
  await look()
  await becomes('INACTIVE')
})

test('who may not see it makes no use of it', async () => {
  await request()
  pass(6.1)
  await look()
  expect((await world.stranger.call('GET', `/platform/projects/${world.ref}`)).status).toBe(404)
  pass(1)
  await look()
  await becomes('INACTIVE')
})

test('a project at which a job is at work is left alone, and one of a paid plan', async () => {
  await request()
  pass(6.1)
  await look()
  pass(1)
  const job = randomUUID()
  const own = (job_id: string | null) =>
    world.control.db.updateTable('platform.projects').set({ job_id }).execute()
  await own(job)
  expect(await look()).toBe('ACTIVE_HEALTHY')
  await own(null)
  await setTier('tier_pro')
  expect(await look()).toBe('ACTIVE_HEALTHY')
  await setTier('tier_free')
  await look()
  await becomes('INACTIVE')
})
