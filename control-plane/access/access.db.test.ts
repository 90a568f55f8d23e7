import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMember, projectIn } from '../testing/members.ts'
import {
  person,
  startControlPlane,
  type Person,
  type TestControlPlane,
} from '../testing/control-plane.ts'
import { newcomer, organizationOf } from '../testing/people.ts'

let plane: TestControlPlane
let ada: Person
/** The same person after a second factor was shown. */
let adaWithFactor: Person
let bob: Person
let ref: string
let other: string

const mfaRequired = { status: 403, body: { code: 'mfa_required', organization: 'locked' } }

beforeAll(async () => {
  plane = await startControlPlane()
  ada = await newcomer(plane, 'ada')
  adaWithFactor = person(plane, 'ada@example.com', ada.userId, 'aal2')
  bob = await newcomer(plane, 'bob')
  await organizationOf(ada, 'Locked', 'tier_team')
  await organizationOf(ada, 'Open', 'tier_team')
  await addMember(plane, 'locked', bob, 'Developer')
  ref = await projectIn(plane, 'locked', 'Vault')
  other = await projectIn(plane, 'open', 'Garden')
  await plane.db
    .updateTable('platform.organizations')
    .set({ requires_mfa: true })
    .where('slug', '=', 'locked')
    .execute()
})
afterAll(() => plane.end())

test('an organization that asks for a second factor shows nothing of itself without', async () => {
  for (const who of [ada, bob]) {
    for (const [method, url] of [
      ['GET', '/platform/organizations/locked'],
      ['PATCH', '/platform/organizations/locked'],
      ['GET', '/platform/organizations/locked/members'],
      ['GET', '/platform/organizations/locked/projects'],
      ['DELETE', `/platform/organizations/locked/members/${who.userId}`],
      ['GET', `/platform/projects/${ref}`],
      ['GET', `/platform/projects/${ref}/settings`],
      ['POST', `/platform/projects/${ref}/restore`],
    ] as const) {
      const answer = await who.call(method, url, method === 'GET' ? undefined : {})
      expect(answer, `${method} ${url}`).toMatchObject(mfaRequired)
    }
  }
  const projects = await ada.call('GET', '/platform/projects')
  expect(projects.body).toMatchObject({ projects: [{ ref: other }], pagination: { count: 1 } })
})

test('its members still see that it is there and what it asks for', async () => {
  const list = await ada.call('GET', '/platform/organizations')
  expect(Object.values(list.body)).toMatchObject([
    { slug: 'locked', organization_requires_mfa: true },
    { slug: 'open', organization_requires_mfa: false },
  ])
})

test('with the second factor everything is there; without it the other organizations are', async () => {
  expect((await adaWithFactor.call('GET', '/platform/organizations/locked')).status).toBe(200)
  expect((await adaWithFactor.call('GET', `/platform/projects/${ref}`)).status).toBe(200)
  const projects = await adaWithFactor.call('GET', '/platform/projects')
  expect(projects.body['pagination']).toMatchObject({ count: 2 })
  expect((await ada.call('GET', '/platform/organizations/open')).status).toBe(200)
  expect((await ada.call('GET', `/platform/projects/${other}`)).status).toBe(200)
})

test('an access token comes in when its owner has a factor, and only then', async () => {
  const made = await ada.call('POST', '/platform/profile/access-tokens', { name: 'ci' })
  const get = (url: string) =>
    plane.app.inject({
      url,
      headers: { authorization: `Bearer ${String(made.body['token'])}` },
    })
  expect((await get(`/platform/projects/${other}`)).statusCode).toBe(200)
  expect((await get(`/platform/projects/${ref}`)).json()).toMatchObject(mfaRequired.body)
  plane.world.facts.set(ada.userId, { mfaEnabled: true, isSsoUser: false })
  expect((await get(`/platform/projects/${ref}`)).statusCode).toBe(200)
  expect((await get('/platform/projects')).json()).toMatchObject({ pagination: { count: 2 } })
})

test('a stranger learns nothing, not even that a factor is asked for', async () => {
  const eve = await newcomer(plane, 'eve')
  expect(await eve.call('GET', '/platform/organizations/locked')).toMatchObject({ status: 404 })
  expect(await eve.call('GET', `/platform/projects/${ref}`)).toMatchObject({ status: 404 })
})
