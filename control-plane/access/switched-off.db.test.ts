import { afterAll, beforeAll, expect, test } from 'vitest'
import { silentLog } from '#kit/log'
import { startControlPlane, type Person, type TestControlPlane } from '../testing/control-plane.ts'
import { newcomer, organizationOf } from '../testing/people.ts'

let plane: TestControlPlane
let ada: Person
const disabledFeatures = ['projects:create', 'organization_members:create', 'profile:update']

beforeAll(async () => {
  plane = await startControlPlane(silentLog, undefined, { disabledFeatures })
  ada = await newcomer(plane, 'ada')
  await organizationOf(ada, 'Acme', 'tier_pro')
})
afterAll(() => plane.end())

test.each([
  ['POST', '/platform/projects', { name: 'Books', organization_slug: 'acme', db_pass: 'x' }],
  ['POST', '/platform/organizations/acme/members/invitations', { email: 'b@c.de', role_id: 3 }],
  ['PATCH', '/platform/profile', { username: 'ada' }],
] as const)('%s %s is refused when its feature is off', async (method, url, body) => {
  const input = url.endsWith('projects') ? { ...body, db_region: 'eu-central-1' } : body
  expect(await ada.call(method, url, input)).toMatchObject({
    status: 403,
    body: { code: 'feature_disabled' },
  })
})

test('who may not do it at all is told that, not what the operator has decided', async () => {
  const eve = await newcomer(plane, 'eve')
  const url = '/platform/organizations/acme/members/invitations'
  expect(await eve.call('POST', url, { email: 'b@c.de', role_id: 3 })).toMatchObject({
    status: 404,
    body: { code: 'organization_not_found' },
  })
})

test('the rest works, and the profile says what is off', async () => {
  expect((await ada.call('GET', '/platform/organizations/acme/members')).status).toBe(200)
  expect((await ada.call('GET', '/platform/profile')).body).toMatchObject({
    disabled_features: disabledFeatures,
  })
})
