import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { silentLog } from '#kit/log'
import { createSubjects } from '#kit/subjects'
import { projectMoves, projectStatuses } from '#contract/projects/project-status'
import { createAudit } from '../../organizations/audit/audit.ts'
import { auditStore } from '../../organizations/audit/store.ts'
import { withNews } from '../../people/notifications/news.ts'
import { notificationStore } from '../../people/notifications/store.ts'
import {
  startControlPlane,
  type Person,
  type TestControlPlane,
} from '../../testing/control-plane.ts'
import { newcomer, organizationOf } from '../../testing/people.ts'
import { createReconciler } from './reconcile.ts'
import { createSettle } from './settle.ts'
import { projectStore } from './store.ts'

let plane: TestControlPlane
let ada: Person
const ref = 'abcdefghijklmnopqrst'
const stray = 'tsrqponmlkjihgfedcba'
/** What the reconciler has found that no row knows, round by round. */
const told: { ref: string; state: string }[][] = []
const passwords = { postgres: 'a', service: 'b', admin: 'c' }

/** A reconciler for whom it is `minutes` later than it is. */
const later = (minutes: number) =>
  createReconciler({
    store: projectStore(plane.db),
    settle: createSettle({
      store: projectStore(plane.db),
      record: withNews(createAudit(auditStore), notificationStore(plane.db)),
      openPort: (_ref, address) => Promise.resolve(address),
    }),
    compute: plane.compute,
    takeDown: (project) => plane.compute.destroy(project),
    each: createSubjects(silentLog).each,
    quarantine: async (found) => {
      told.push(found)
    },
    log: silentLog,
    now: () => new Date(Date.now() + minutes * 60_000),
  })

async function become(status: (typeof projectStatuses)[number], job: string | null = null) {
  await plane.db
    .updateTable('platform.projects')
    .set({ status, job_id: job, status_since: new Date(), failure: null })
    .where('ref', '=', ref)
    .execute()
}
const row = () =>
  plane.db
    .selectFrom('platform.projects')
    .select(['status', 'job_id', 'failure', 'db_address'])
    .where('ref', '=', ref)
    .executeTakeFirstOrThrow()

beforeAll(async () => {
  plane = await startControlPlane()
  ada = await newcomer(plane, 'ada')
  const made = await organizationOf(ada, 'Acme', 'tier_pro')
  await plane.db
    .insertInto('platform.projects')
    .values({
      ref,
      organization_id: made.id,
      name: 'Books',
      status: 'INIT_FAILED',
      job_id: null,
      failure: null,
      region: 'eu-central-1',
      cloud_provider: 'AWS',
      compute_size: 'nano',
      db_version: '17',
      sealed_secrets: '',
      db_address: null,
    })
    .execute()
})
afterAll(() => plane.end())

test('status is written by allowed moves of the owning job only: all pairs', async () => {
  const store = projectStore(plane.db)
  const job = randomUUID()
  for (const from of projectStatuses) {
    for (const to of projectStatuses) {
      await become(from, job)
      const move = () => store.transition(undefined, ref, [from], to, { job })
      if (!projectMoves[from].includes(to)) {
        await expect(move(), `${from} -> ${to}`).rejects.toThrow(/cannot move/)
        expect((await row()).status).toBe(from)
        continue
      }
      expect(await store.transition(undefined, ref, [from], to)).toBeUndefined()
      const other = await store.transition(undefined, ref, [from], to, { job: randomUUID() })
      expect(other, `${from} -> ${to} by another job`).toBeUndefined()
      expect(await move(), `${from} -> ${to}`).toMatchObject({ status: to, job_id: null })
    }
  }
})

test('what no row knows is stopped, kept and told of; what a row says is removed goes', async () => {
  await become('INIT_FAILED')
  await plane.compute.create({ ref: stray, passwords, limits: { maxConnections: 20 } })
  await later(0)()
  await later(0)()
  expect(await plane.compute.inspect(stray)).toEqual({ state: 'stopped' })
  expect(told.at(-1)).toEqual([{ ref: stray, state: 'stopped' }])
  await plane.compute.create({ ref, passwords, limits: { maxConnections: 20 } })
  await become('REMOVED')
  await later(0)()
  expect(await plane.compute.list()).toEqual([stray])
  await plane.compute.destroy(stray)
  await later(0)()
  expect(told.at(-1)).toEqual([])
})

test('a failed project leaves nothing running; a paused one does not run; a running one does', async () => {
  await plane.compute.create({ ref, passwords, limits: { maxConnections: 20 } })
  await become('INACTIVE')
  await later(0)()
  expect(await plane.compute.inspect(ref)).toEqual({ state: 'stopped' })
  await become('ACTIVE_HEALTHY')
  await later(0)()
  expect(await plane.compute.inspect(ref)).toMatchObject({ state: 'running' })
  expect((await row()).db_address).toMatchObject({ port: expect.any(Number) as number })
  await become('INIT_FAILED')
  await later(0)()
  expect(await plane.compute.inspect(ref)).toEqual({ state: 'stopped' })
})

test.each([
  ['COMING_UP', 3, 'INIT_FAILED'],
  ['RESTARTING', 2, 'ACTIVE_UNHEALTHY'],
  ['PAUSING', 3, 'PAUSE_FAILED'],
  ['RESTORING', 16, 'RESTORE_FAILED'],
  ['UPGRADING', 16, 'ACTIVE_UNHEALTHY'],
  ['RESIZING', 3, 'ACTIVE_UNHEALTHY'],
] as const)(
  '%s may take its time; %i minutes are too long and become %s',
  async (status, minutes, end) => {
    await plane.compute.create({ ref, passwords, limits: { maxConnections: 20 } })
    await become(status, randomUUID())
    await later(0)()
    expect((await row()).status).toBe(status)
    await later(minutes)()
    expect(await row()).toMatchObject({ status: end, job_id: null })
    expect((await row()).failure).toMatch(/took longer than \d+ seconds/)
  },
)

test.each([
  ['project.restore-backup', 'RESTORING', 'RESTORE_FAILED'],
  ['project.clone', 'COMING_UP', 'INIT_FAILED'],
] as const)(
  '%s takes as long as it works; what it leaves undone is ended',
  async (name, status, end) => {
    const job = await plane.db
      .insertInto('platform.jobs')
      .values({ name, subject: ref, finished_at: null, failure: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    await become(status, job.id)
    await later(60)()
    expect(await row()).toMatchObject({ status, job_id: job.id })
    await plane.db
      .updateTable('platform.jobs')
      .set({ finished_at: new Date() })
      .where('id', '=', job.id)
      .execute()
    await later(60)()
    expect(await row()).toMatchObject({ status: end, job_id: null })
  },
)

test('a failure stands in the audit log, and the owner is told once', async () => {
  const news = async () => {
    const { body } = await ada.call('GET', `/platform/notifications?project=${ref}&limit=100`)
    const { notifications } = body as {
      notifications: { data: { title: string; message: string } }[]
    }
    return notifications.filter(({ data }) => data.title === 'Books could not be paused')
  }
  const before = await news()
  await become('PAUSING', randomUUID())
  await later(3)()
  await later(6)()
  const [said, ...older] = await news()
  expect(older).toEqual(before)
  expect(said?.data.message).toMatch(/It took longer than \d+ seconds/)
  const { body } = await ada.call('GET', '/platform/notifications/summary')
  expect(body).toMatchObject({ has_critical: true })
  const entry = await plane.db
    .selectFrom('platform.audit_entries')
    .select(['actor_id', 'change'])
    .where('action', '=', 'projects.fail')
    .orderBy('id', 'desc')
    .executeTakeFirst()
  expect(entry).toMatchObject({ actor_id: null, change: { after: { status: 'PAUSE_FAILED' } } })
})

test('a removal that its job gave up is finished', async () => {
  await plane.compute.create({ ref, passwords, limits: { maxConnections: 20 } })
  await become('GOING_DOWN', randomUUID())
  await later(0)()
  expect((await row()).status).toBe('GOING_DOWN')
  await later(3)()
  expect(await row()).toMatchObject({ status: 'REMOVED', db_address: null })
  expect(await plane.compute.list()).toEqual([])
})
