import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  startControlPlane,
  type Person,
  type TestControlPlane,
} from '../../testing/control-plane.ts'
import { newcomer, organizationOf } from '../../testing/people.ts'

let plane: TestControlPlane
let ada: Person
let bob: Person
let path: string
let ref: string

const status = async () =>
  (await ada.call('GET', `/platform/projects/${ref}/status`)).body['status']
const reaches = (requested: string) =>
  vi.waitFor(async () => expect(await status()).toBe(requested), { timeout: 60_000 })
const cancel = (by: Person = ada) => by.call('POST', `${path}/restore/cancel`)

/** Starts of databases wait from now on; `open` lets them, `waiting` ends when one has come. */
function holdStarts() {
  const start = plane.compute.start
  let arrive = () => {}
  let open = () => {}
  const waiting = new Promise<void>((resolve) => (arrive = resolve))
  const opened = new Promise<void>((resolve) => (open = resolve))
  plane.compute.start = async (subject) => {
    arrive()
    await opened
    return start(subject)
  }
  return {
    waiting,
    open() {
      plane.compute.start = start
      open()
    },
  }
}

beforeAll(async () => {
  plane = await startControlPlane()
  ada = await newcomer(plane, 'ada')
  bob = await newcomer(plane, 'bob')
  await organizationOf(ada, 'Acme', 'tier_pro')
  const made = await ada.call('POST', '/platform/projects', {
    name: 'Books',
    organization_slug: 'acme',
    db_pass: 'a long and winding password 42!',
    db_region: 'eu-central-1',
    cloud_provider: 'AWS',
  })
  ref = String(made.body['ref'])
  path = `/v1/projects/${ref}`
  await reaches('ACTIVE_HEALTHY')
})
afterAll(() => plane.end())

test('what is not being restored cannot be cancelled, nor what is not theirs', async () => {
  expect((await cancel(bob)).status).toBe(404)
  expect(await cancel()).toMatchObject({ status: 409, body: { code: 'not_restoring' } })
})

test('a restore is cancelled: the server stands still, and the next restore is whole', async () => {
  await ada.call('POST', `${path}/pause`)
  await reaches('INACTIVE')
  const held = holdStarts()
  expect((await ada.call('POST', `${path}/restore`)).status).toBe(200)
  await held.waiting
  expect((await cancel()).status).toBe(200)
  // Twice is once: the second takes over from the first, or comes too late.
  expect([200, 409]).toContain((await cancel()).status)
  await reaches('RESTORE_FAILED')
  const told = await plane.db
    .selectFrom('platform.audit_entries')
    .select('actor_id')
    .where('action', '=', 'projects.cancelRestore')
    .execute()
  expect(told.length).toBeGreaterThan(0)

  // The job that was cancelled starts its server after all; it may not say that the project runs, nor stop the next one.
  held.open()
  await expect.poll(async () => (await plane.compute.inspect(ref)).state).toBe('running')
  expect(await status()).toBe('RESTORE_FAILED')
  expect((await ada.call('POST', `${path}/restore`)).status).toBe(200)
  await reaches('ACTIVE_HEALTHY')
  expect((await plane.compute.inspect(ref)).state).toBe('running')
})

test('a start that fails after it was cancelled leaves the next one alone', async () => {
  await ada.call('POST', `${path}/pause`)
  await reaches('INACTIVE')
  const start = plane.compute.start
  let fail = () => {}
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => (arrive = resolve))
  plane.compute.start = () =>
    new Promise((_, reject) => {
      fail = () => reject(new Error('no room'))
      arrive()
    })
  await ada.call('POST', `${path}/restore`)
  await arrived
  await cancel()
  await reaches('RESTORE_FAILED')
  plane.compute.start = start
  await ada.call('POST', `${path}/restore`)
  await reaches('ACTIVE_HEALTHY')
  fail()
  const unfinished = async () =>
    (
      await plane.db
        .selectFrom('platform.jobs')
        .select('id')
        .where('finished_at', 'is', null)
        .execute()
    ).length
  await expect.poll(unfinished).toBe(0)
  expect(await status()).toBe('ACTIVE_HEALTHY')
  expect((await plane.compute.inspect(ref)).state).toBe('running')
})
