import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  person,
  startControlPlane,
  type Person,
  type TestControlPlane,
} from '../../testing/control-plane.ts'

let plane: TestControlPlane
let ada: Person
let bob: Person

const organization = (name: string, more: object = {}) => ({
  name,
  kind: 'PERSONAL',
  tier: 'tier_free',
  ...more,
})

beforeAll(async () => {
  plane = await startControlPlane()
  ada = person(plane, 'ada@example.com')
  bob = person(plane, 'bob@example.com')
  await ada.call('POST', '/platform/profile')
  await bob.call('POST', '/platform/profile')
})
afterAll(() => plane.end())

test('nobody comes in without a token or with a wrong one', async () => {
  const bare = await plane.app.inject({ url: '/platform/organizations' })
  expect(bare.statusCode).toBe(401)
  const wrong = await plane.app.inject({
    url: '/platform/organizations',
    headers: { authorization: 'Bearer nonsense' },
  })
  expect(wrong.json()).toMatchObject({ code: 'not_signed_in' })
  expect(wrong.statusCode).toBe(401)
})

test('a person without a profile is told so', async () => {
  const carl = person(plane, 'carl@example.com')
  expect(await carl.call('GET', '/platform/profile')).toMatchObject({
    status: 404,
    body: { message: "User's profile not found" },
  })
  expect(await carl.call('POST', '/platform/organizations', organization('Carl'))).toMatchObject({
    status: 404,
    body: { code: 'user_profile_not_found' },
  })
  expect((await carl.call('POST', '/platform/profile')).status).toBe(201)
  expect((await carl.call('POST', '/platform/profile')).status).toBe(409)
  expect(await carl.call('GET', '/platform/profile')).toMatchObject({
    status: 200,
    body: { username: 'carl', primary_email: 'carl@example.com', disabled_features: [] },
  })
})

test.each([
  ['no name', { name: '' }],
  ['a name of blanks', { name: '   ' }],
  ['a name with a NUL', { name: 'a\u0000b' }],
  ['a name with a line break', { name: 'a\nb' }],
  ['a name too long', { name: 'x'.repeat(65) }],
  ['an unknown kind', { kind: 'NGO' }],
  ['an unknown tier', { tier: 'tier_gold' }],
  ['a number for a name', { name: 5 }],
])('an organization with %s is refused', async (_, wrong) => {
  const answer = await ada.call('POST', '/platform/organizations', organization('Acme', wrong))
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
  expect(answer.headers['x-request-id']).toBe(answer.body['requestId'])
})

test('organizations are listed by name, and only to their members', async () => {
  for (const name of ['zebra', 'Acme', 'beta']) {
    const made = await ada.call('POST', '/platform/organizations', organization(name))
    expect(made).toMatchObject({ status: 201, body: { name, is_owner: true, role: 'Owner' } })
  }
  const list = await ada.call('GET', '/platform/organizations')
  expect(Object.values(list.body)).toMatchObject([
    { name: 'Acme', slug: 'acme', plan: { id: 'free', name: 'Free' }, member_count: 1 },
    { name: 'beta' },
    { name: 'zebra' },
  ])
  expect(Object.values((await bob.call('GET', '/platform/organizations')).body)).toEqual([])
})

test.each([
  ['GET', '/platform/organizations/acme', undefined],
  ['PATCH', '/platform/organizations/acme', { name: 'Mine' }],
  ['DELETE', '/platform/organizations/acme', undefined],
  ['GET', '/platform/organizations/acme/members', undefined],
  ['GET', '/platform/organizations/acme/projects', undefined],
  ['GET', '/platform/organizations/acme/roles', undefined],
] as const)('%s %s does not exist for a stranger', async (method, url, body) => {
  expect(await bob.call(method, url, body)).toMatchObject({
    status: 404,
    body: { code: 'organization_not_found' },
  })
})

test('two of one name get different slugs, also when they come together', async () => {
  const made = await Promise.all(
    Array.from({ length: 4 }, () =>
      ada.call('POST', '/platform/organizations', organization('Twin Peaks')),
    ),
  )
  const slugs = made.map(({ body }) => body['slug'])
  expect(new Set(slugs).size).toBe(4)
  expect(slugs).toContain('twin-peaks')
})

test('a developer may look but not change; an administrator may not either', async () => {
  const acme = await plane.db
    .selectFrom('platform.organizations')
    .select('id')
    .where('slug', '=', 'beta')
    .executeTakeFirstOrThrow()
  for (const role of ['Developer', 'Administrator', 'Read-only'] as const) {
    await plane.db
      .insertInto('platform.members')
      .values({ organization_id: acme.id, user_id: bob.userId, role })
      .onConflict((c) => c.columns(['organization_id', 'user_id']).doUpdateSet({ role }))
      .execute()
    expect((await bob.call('GET', '/platform/organizations/beta')).status).toBe(200)
    expect(await bob.call('PATCH', '/platform/organizations/beta', { name: 'x' })).toMatchObject({
      status: 403,
      body: { code: 'not_allowed' },
    })
    expect((await bob.call('DELETE', '/platform/organizations/beta')).status).toBe(403)
  }
})

test('an owner renames and deletes; both leave one audit entry in an unbroken chain', async () => {
  const made = await ada.call('POST', '/platform/organizations', organization('Short Lived'))
  const slug = String(made.body['slug'])
  const renamed = await ada.call('PATCH', `/platform/organizations/${slug}`, { name: 'Renamed' })
  expect(renamed).toMatchObject({ status: 200, body: { name: 'Renamed', slug } })
  expect((await ada.call('DELETE', `/platform/organizations/${slug}`)).status).toBe(200)
  expect((await ada.call('GET', `/platform/organizations/${slug}`)).status).toBe(404)

  const entries = await plane.db
    .selectFrom('platform.audit_entries')
    .select(['action', 'actor_email', 'previous_hash', 'hash'])
    .where('organization_id', '=', String(made.body['id']))
    .orderBy('id')
    .execute()
  expect(entries.map((entry) => entry.action)).toEqual([
    'organizations.create',
    'organizations.update',
    'organizations.remove',
  ])
  expect(entries.every((entry) => entry.actor_email === 'ada@example.com')).toBe(true)
  expect(entries.slice(1).map((entry) => entry.previous_hash)).toEqual(
    entries.slice(0, -1).map((entry) => entry.hash),
  )
})

test('audit entries cannot be changed or removed', async () => {
  await expect(
    plane.db.updateTable('platform.audit_entries').set({ action: 'x' }).execute(),
  ).rejects.toThrow(/only be added/)
  await expect(plane.db.deleteFrom('platform.audit_entries').execute()).rejects.toThrow(
    /only be added/,
  )
})

test('a page of another origin cannot change anything', async () => {
  const response = await plane.app.inject({
    method: 'POST',
    url: '/platform/organizations',
    headers: { authorization: `Bearer ${ada.token}`, origin: 'https://evil.example' },
    payload: organization('Stolen'),
  })
  expect(response.statusCode).toBe(403)
  expect(response.json()).toMatchObject({ code: 'bad_origin' })
})

test('bad JSON, a wrong type of body, a large body, a wrong verb and a wrong path are told apart', async () => {
  const send = (payload: string, type: string) =>
    plane.app.inject({
      method: 'POST',
      url: '/platform/organizations',
      headers: { authorization: `Bearer ${ada.token}`, 'content-type': type },
      payload,
    })
  expect((await send('{', 'application/json')).json()).toMatchObject({ code: 'bad_json' })
  expect((await send('[1]', 'application/json')).statusCode).toBe(400)
  expect((await send('{"__proto__": {"a": 1}}', 'application/json')).statusCode).toBe(400)
  expect((await send('a=b', 'text/plain')).statusCode).toBe(415)
  expect(
    (await send(JSON.stringify({ name: 'x'.repeat(2_000_000) }), 'application/json')).statusCode,
  ).toBe(413)
  const verb = await plane.app.inject({ method: 'PUT', url: '/platform/organizations' })
  expect(verb.statusCode).toBe(405)
  expect(verb.headers['allow']).toBe('GET, POST')
  expect((await plane.app.inject({ url: '/platform/nothing' })).statusCode).toBe(404)
})
