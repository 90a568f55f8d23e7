import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startDrains, type DrainsWorld } from '../../testing/log-drains.ts'
import { drainReportStore } from './reports-store.ts'

let world: DrainsWorld
beforeAll(async () => {
  world = await startDrains()
})
afterAll(() => world.end())
beforeEach(async () => {
  await world.forget()
  await world.plane.db.deleteFrom('platform.notifications').execute()
  await world.plane.db.deleteFrom('platform.mails').execute()
})

const minute = 60_000
const hour = 60 * minute
const make = (path = world.path) => world.make(path)
const ago = (ms: number) => new Date(world.clock.now.getTime() - ms).toISOString()
const state = async (path = world.path) => (await world.list(path))[0]?.state
const told = () =>
  world.plane.db
    .selectFrom('platform.notifications')
    .select(['user_id', 'title', 'message', 'actions'])
    .orderBy('inserted_at')
    .execute()
const mails = () =>
  world.plane.db
    .selectFrom('platform.mails')
    .select(['recipient', 'subject', 'body_text'])
    .execute()
const titles = async () => [...new Set((await told()).map(({ title }) => title))]

test('what is no report is refused, and unknown drains are passed over', async () => {
  const token = await make()
  for (const bad of [{ start: 'x' }, { month: '2026' }, { events: -1 }, { lost: 1.5 }])
    expect([bad, (await world.report(token, bad)).status]).toEqual([bad, 400])
  expect((await world.report(token, { failing_since: 'x' })).status).toBe(400)
  expect(await world.report(randomUUID())).toEqual({ status: 200, body: { kept: 0 } })
  expect((await state())?.events).toBe(0)
})

test('counts of each start are absolute: said again, or late, they change nothing; those of other months are left out', async () => {
  const token = await make()
  const [one, other] = [randomUUID(), randomUUID()]
  await world.report(token, { events: 10, bytes: 1000, lost: 1, delivered_until: ago(5000) }, one)
  await world.report(token, { events: 10, bytes: 1000, lost: 1, delivered_until: ago(5000) }, one)
  await world.report(token, { events: 4, bytes: 400, delivered_until: ago(9000) }, one)
  await world.report(token, { events: 5, bytes: 50, delivered_until: ago(7000) }, other)
  await world.report(token, { events: 99, bytes: 99, month: '2026-10' }, other)
  expect(await state()).toEqual({
    delivered_until: ago(5000),
    last_success_at: null,
    failing_since: null,
    last_error: null,
    next_attempt_at: null,
    events: 15,
    bytes: 1050,
    lost: 1,
  })
})

test('it fails while one process fails, and no longer when another one has taken its place', async () => {
  const token = await make()
  const [one, other] = [randomUUID(), randomUUID()]
  const failing = {
    failing_since: ago(hour),
    last_error: '500: no',
    next_attempt_at: ago(-minute),
  }
  await world.report(token, failing, one)
  await world.report(token, { last_success_at: ago(0) }, other)
  expect(await state()).toMatchObject({ ...failing, last_success_at: ago(0) })
  // The first has died; nobody has delivered since.
  world.pass(20 * minute)
  expect(await state()).toMatchObject({ failing_since: ago(hour + 20 * minute) })
  await world.report(token, { last_success_at: ago(0) }, other)
  expect(await state()).toMatchObject({ failing_since: null, last_error: null })
})

test('who changes a drain has it tried anew', async () => {
  const token = await make()
  await world.report(token, { failing_since: ago(hour), last_error: '401' })
  await world.ada.call('PUT', `${world.path}/${token}`, { name: 'Renamed' })
  expect(await state()).toMatchObject({ last_error: '401' })
  await world.ada.call('PUT', `${world.path}/${token}`, {
    config: { url: 'https://logs.example.com/in', headers: { 'X-Key': 'right' } },
  })
  expect(await state()).toMatchObject({ failing_since: null, last_error: null })
})

test('a failure of an hour is told of once, to those who may mend it, and the next one again', async () => {
  const token = await make()
  const fail = (since: string) =>
    world.report(token, { failing_since: since, last_error: '401: key of <b>nobody</b>' })
  await fail(ago(59 * minute))
  await world.plane.drainNotices()
  expect(await told()).toEqual([])
  world.pass(minute)
  const since = ago(hour)
  for (let i = 0; i < 2; i++) {
    await fail(since)
    await world.plane.drainNotices()
    world.pass(10 * minute)
  }
  expect(await told()).toMatchObject([
    {
      title: `The log drain Archive of ${world.ref} fails`,
      message: 'It has delivered nothing for more than an hour: 401: key of <b>nobody</b>',
      actions: [{ url: `/project/${world.ref}/settings/log-drains` }],
    },
    {},
  ])
  const people = [world.ada.userId, world.as('Administrator').userId]
  expect((await told()).map(({ user_id: id }) => id).toSorted()).toEqual(people.toSorted())
  await expect.poll(async () => (await mails()).length).toBe(2)
  expect((await mails())[0]?.body_text).not.toContain('401')
  await world.report(token, { last_success_at: ago(0) })
  await world.plane.drainNotices()
  world.pass(2 * hour)
  await fail(ago(hour))
  await world.plane.drainNotices()
  expect(await told()).toHaveLength(4)
  // One that is switched off is nobody's worry.
  await world.ada.call('PUT', `${world.path}/${token}`, { enabled: false })
  world.pass(hour)
  await fail(ago(hour))
  await world.plane.drainNotices()
  expect(await told()).toHaveLength(4)
})

test('what is lost is told of once a day, with all that was lost since', async () => {
  const token = await make(world.auditPath)
  const lose = async (lost: number, month = '2026-11') => {
    await world.report(token, { lost, month })
    await world.plane.drainNotices()
  }
  await lose(5)
  await lose(9)
  expect(await told()).toMatchObject([
    {
      title: 'The log drain Archive of Mine has lost entries',
      message: expect.stringContaining('5 entries') as string,
      actions: [{ url: '/org/mine/audit-log-drains' }],
    },
    {},
  ])
  world.pass(24 * hour)
  await world.plane.drainNotices()
  expect((await told()).slice(2)).toMatchObject([
    { message: expect.stringContaining('4 entries') as string },
    {},
  ])
  world.pass(24 * hour)
  await world.plane.drainNotices()
  expect(await told()).toHaveLength(4)
  expect(await titles()).toEqual(['The log drain Archive of Mine has lost entries'])
  // An old month may go once people were told, and another one has a newer word.
  world.pass(minute)
  await world.report(token, { month: '2026-12', delivered_until: ago(0) })
  await drainReportStore(world.plane.db).prune('2026-12')
  const left = await world.plane.db
    .selectFrom('platform.log_drain_reports')
    .select('month')
    .execute()
  expect(left).toEqual([{ month: '2026-12' }])
})
