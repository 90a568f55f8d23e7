import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  internalToken,
  startControlPlane,
  type Person,
  type TestControlPlane,
} from '../../testing/control-plane.ts'
import { newcomer, organizationOf } from '../../testing/people.ts'
import { createNotifications } from './notifications.ts'
import type { Notice } from './notice.ts'
import { notificationStore } from './store.ts'

let plane: TestControlPlane
let ada: Person
let bob: Person
type List = { notifications: { id: string; data: { title: string } }[] }

beforeAll(async () => {
  plane = await startControlPlane()
  ada = await newcomer(plane, 'ada')
  bob = await newcomer(plane, 'bob')
})
afterAll(() => plane.end())

const notify = (users: Person[], notice: Partial<Notice> & { title: string }) => {
  const { notify } = createNotifications(notificationStore(plane.db))
  const ids = users.map(({ userId }) => userId)
  const whole: Notice = { name: 'test', priority: 'Info', message: 'It happened', ...notice }
  return plane.db.transaction().execute((tx) => notify(tx, ids, whole))
}
const list = async (who: Person, query = '') => {
  const { status, body } = await who.call('GET', `/platform/notifications${query}`)
  return { status, titles: (body as List).notifications?.map(({ data }) => data.title), body }
}
const summary = async (who: Person) =>
  (await who.call('GET', '/platform/notifications/summary')).body

test.each([
  ['GET', '/platform/notifications?box=attic', undefined],
  ['GET', '/platform/notifications?limit=1000', undefined],
  ['PATCH', '/platform/notifications', { ids: [], status: 'seen' }],
  ['PATCH', '/platform/notifications', { ids: ['x'], status: 'seen' }],
] as const)('%s %s with %j is refused', async (method, url, body) => {
  expect((await ada.call(method, url, body)).status).toBe(400)
})

test('news is for whom it is told to, newest first, once each', async () => {
  await notify([ada, ada], { title: 'first' })
  await notify([ada, bob], { title: 'second', priority: 'Critical' })
  expect((await list(ada)).titles).toEqual(['second', 'first'])
  expect((await list(bob)).titles).toEqual(['second'])
  expect((await list(ada, '?priority=Critical')).titles).toEqual(['second'])
  expect((await list(ada, '?organization=none')).titles).toEqual([])
  expect(await summary(ada)).toEqual({ unread_count: 2, has_critical: true, has_warning: false })
})

test('one’s own is marked and archived; another’s is out of reach', async () => {
  const [bobs] = ((await list(bob)).body as List).notifications
  const taken = await ada.call('PATCH', '/platform/notifications', {
    ids: [bobs?.id],
    status: 'archived',
  })
  expect(taken.body).toEqual({ updated: 0 })
  expect((await list(bob)).titles).toEqual(['second'])

  const ids = ((await list(ada)).body as List).notifications.map(({ id }) => id)
  await ada.call('PATCH', '/platform/notifications', { ids, status: 'seen' })
  expect(await summary(ada)).toMatchObject({ unread_count: 0, has_critical: false })
  await ada.call('PATCH', '/platform/notifications', { ids: ids.slice(0, 1), status: 'archived' })
  expect((await list(ada)).titles).toEqual(['first'])
  expect((await list(ada, '?box=archived')).titles).toEqual(['second'])
  expect((await ada.call('PATCH', '/platform/notifications/archive-all')).body).toEqual({
    updated: 1,
  })
  expect((await ada.call('DELETE', '/platform/notifications')).body).toEqual({ removed: 2 })
  expect((await list(ada, '?box=archived')).titles).toEqual([])
  expect((await list(bob)).titles).toEqual(['second'])
})

test('changes tell whom they concern, and not whoever made them', async () => {
  const { id } = await organizationOf(ada, 'Acme')
  await plane.db
    .insertInto('platform.members')
    .values({ organization_id: id, user_id: bob.userId, role: 'Developer' })
    .execute()
  const member = `/platform/organizations/acme/members/${bob.userId}`
  expect((await ada.call('PATCH', member, { role_id: 2 })).status).toBe(200)
  expect((await list(bob, '?organization=acme')).titles).toEqual(['Your role in Acme has changed'])
  const restrict = (restriction_status: string | null) =>
    plane.app.inject({
      method: 'PUT',
      url: '/internal/billing/organizations/acme',
      headers: { authorization: `Bearer ${internalToken}` },
      payload: { restriction_status },
    })
  expect((await restrict('restricted')).statusCode).toBe(200)
  expect((await list(ada, '?organization=acme')).titles).toEqual([
    'The projects of Acme are restricted',
  ])
  expect(await summary(bob)).toMatchObject({ has_critical: true })
  await restrict(null)
  expect((await ada.call('DELETE', member)).status).toBe(200)
  expect((await list(bob)).titles[0]).toBe('You are no longer in Acme')
  expect((await list(ada, '?organization=acme')).titles).not.toContain(
    'Your role in Acme has changed',
  )
})
