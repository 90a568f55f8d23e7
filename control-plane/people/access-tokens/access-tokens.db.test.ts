import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessTokenLimit, accessTokenPattern } from '#contract/people/access-tokens'
import {
  person,
  startControlPlane,
  type Person,
  type TestControlPlane,
} from '../../testing/control-plane.ts'
import { newcomer, organizationOf } from '../../testing/people.ts'
import { hashOf } from './tokens.ts'

let plane: TestControlPlane
let ada: Person
let bob: Person
const path = '/platform/profile/access-tokens'

beforeAll(async () => {
  plane = await startControlPlane()
  ada = await newcomer(plane, 'ada')
  bob = await newcomer(plane, 'bob')
  await organizationOf(ada, 'Acme', 'tier_free')
})
afterAll(() => plane.end())

const make = async (who: Person, more: object = {}) => {
  const { status, body } = await who.call('POST', path, { name: 'laptop', ...more })
  expect(status).toBe(201)
  return { id: Number(body['id']), token: String(body['token']) }
}
const withToken = async (token: string, method: 'GET' | 'POST' | 'DELETE', url: string) => {
  const headers = { authorization: `Bearer ${token}` }
  const response = await plane.app.inject({
    method,
    url,
    headers,
    ...(method === 'POST' ? { payload: { name: 'another' } } : {}),
  })
  return { status: response.statusCode, body: response.json() as Record<string, unknown> }
}
/** What the database holds of a token. */
const rowOf = (id: number) =>
  plane.db
    .selectFrom('platform.access_tokens')
    .selectAll()
    .where('id', '=', String(id))
    .executeTakeFirstOrThrow()
const age = (id: number, values: { expires_at?: Date; last_used_at?: Date }) =>
  plane.db.updateTable('platform.access_tokens').set(values).where('id', '=', String(id)).execute()

test.each([
  ['no name', {}],
  ['a name of blanks', { name: '  ' }],
  ['a name too long', { name: 'x'.repeat(65) }],
  ['an end in the past', { name: 'x', expires_at: '2020-01-01T00:00:00Z' }],
  ['an end that is no time', { name: 'x', expires_at: 'tomorrow' }],
])('a token with %s is refused', async (_, body) => {
  const answer = await ada.call('POST', path, body)
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
})

test('nobody has tokens before they have a profile', async () => {
  const carl = person(plane, 'carl@example.com')
  expect(await carl.call('POST', path, { name: 'x' })).toMatchObject({
    status: 404,
    body: { code: 'user_profile_not_found' },
  })
})

test('a token is shown once and kept as a hash', async () => {
  const { id, token } = await make(ada)
  expect(token).toMatch(accessTokenPattern)
  const row = await rowOf(id)
  expect(row.token_hash).toBe(hashOf(token))
  expect(JSON.stringify(row)).not.toContain(token)
  const list = await ada.call('GET', path)
  expect(JSON.stringify(list.body)).not.toContain(token.slice(8, -4))
  const alias = `${token.slice(0, 8)}...${token.slice(-4)}`
  expect(await ada.call('GET', `${path}/${id}`)).toMatchObject({
    status: 200,
    body: { id, name: 'laptop', token_alias: alias, scope: 'V0', expires_at: null },
  })
  const audit = await plane.db.selectFrom('platform.audit_entries').selectAll().execute()
  expect(JSON.stringify(audit)).not.toContain(token.slice(8, -4))
  expect(audit).toContainEqual(
    expect.objectContaining({ action: 'accessTokens.create', actor_id: ada.userId }),
  )
})

test('it stands for its person on /platform and /v1, and for nobody else', async () => {
  const { token } = await make(ada)
  const profile = await withToken(token, 'GET', '/platform/profile')
  expect(profile).toMatchObject({ status: 200, body: { primary_email: ada.email } })
  expect((await withToken(token, 'GET', '/platform/organizations/acme')).status).toBe(200)
  expect((await withToken(token, 'GET', '/v1/organizations/acme')).status).toBe(200)
  const foreign = (await make(bob)).token
  expect((await withToken(foreign, 'GET', '/platform/organizations/acme')).status).toBe(404)
  expect((await withToken(foreign, 'GET', '/v1/organizations/acme')).status).toBe(404)
})

test('with a token nobody makes further tokens or deletes the account', async () => {
  const { token } = await make(ada)
  const refused = { status: 403, body: { code: 'session_required' } }
  expect(await withToken(token, 'POST', path)).toMatchObject(refused)
  const end = `/platform/profile?email=${encodeURIComponent(ada.email)}`
  expect(await withToken(token, 'DELETE', end)).toMatchObject(refused)
  expect((await ada.call('GET', '/platform/profile')).status).toBe(200)
})

test('a revoked token is dead with the next call', async () => {
  const { id, token } = await make(ada)
  expect((await withToken(token, 'GET', '/v1/organizations')).status).toBe(200)
  expect(await ada.call('DELETE', `${path}/${id}`)).toMatchObject({ status: 200, body: { id } })
  for (const url of ['/v1/organizations', '/platform/profile']) {
    const answer = await withToken(token, 'GET', url)
    expect(answer).toMatchObject({ status: 401, body: { code: 'not_signed_in' } })
    // What /v1's programs read.
    expect(typeof answer.body['message']).toBe('string')
  }
  expect((await ada.call('DELETE', `${path}/${id}`)).status).toBe(404)
})

test('nobody sees or revokes the token of another', async () => {
  const { id, token } = await make(ada)
  expect((await bob.call('GET', `${path}/${id}`)).status).toBe(404)
  expect((await bob.call('DELETE', `${path}/${id}`)).status).toBe(404)
  expect((await withToken(token, 'GET', '/platform/profile')).status).toBe(200)
  expect(JSON.stringify((await bob.call('GET', path)).body)).not.toContain(`"id":${id},`)
})

test('a token ends when it was to end', async () => {
  const ahead = new Date(Date.now() + 3600_000).toISOString()
  const { id, token } = await make(ada, { expires_at: ahead })
  expect((await withToken(token, 'GET', '/platform/profile')).status).toBe(200)
  await age(id, { expires_at: new Date(Date.now() - 1000) })
  expect((await withToken(token, 'GET', '/platform/profile')).status).toBe(401)
})

test('its last use is written at most once a minute', async () => {
  const { id, token } = await make(ada)
  expect((await rowOf(id)).last_used_at).toBeNull()
  await withToken(token, 'GET', '/platform/profile')
  expect((await rowOf(id)).last_used_at).not.toBeNull()

  const halfMinute = new Date(Date.now() - 30_000)
  await age(id, { last_used_at: halfMinute })
  await withToken(token, 'GET', '/platform/profile')
  expect((await rowOf(id)).last_used_at).toEqual(halfMinute)

  await age(id, { last_used_at: new Date(Date.now() - 61_000) })
  await withToken(token, 'GET', '/platform/profile')
  expect((await rowOf(id)).last_used_at?.getTime()).toBeGreaterThan(halfMinute.getTime())
})

test.each(['sbp_', `sbp_${'0'.repeat(40)}`, `sbp_${'g'.repeat(40)}`, `sbp_${'0'.repeat(41)}`])(
  '%s is nobody',
  async (token) => {
    expect((await withToken(token, 'GET', '/platform/profile')).status).toBe(401)
  },
)

test('two at once cannot pass the limit together', async () => {
  const eve = await newcomer(plane, 'eve')
  const rows = Array.from({ length: accessTokenLimit - 1 }, (_, index) => ({
    user_id: eve.userId,
    name: `token ${index}`,
    token_hash: hashOf(`eve ${index}`),
    token_alias: 'sbp_0000...0000',
    expires_at: null,
    last_used_at: null,
  }))
  await plane.db.insertInto('platform.access_tokens').values(rows).execute()
  const both = await Promise.all([1, 2].map(() => eve.call('POST', path, { name: 'last' })))
  expect(new Set(both.map(({ status }) => status))).toEqual(new Set([201, 409]))
})
