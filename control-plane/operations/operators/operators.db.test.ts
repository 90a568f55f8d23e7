import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api'
import type { Endpoint } from '#contract/endpoint'
import { internalToken, startControlPlane } from '../../testing/control-plane.ts'
import type { Person, TestControlPlane } from '../../testing/control-plane.ts'
import { newcomer, organizationOf } from '../../testing/people.ts'

let plane: TestControlPlane
let owner: Person
let operator: Person

beforeAll(async () => {
  plane = await startControlPlane()
  owner = await newcomer(plane, 'owner')
  await organizationOf(owner, 'Acme')
  operator = await newcomer(plane, 'operator')
})
afterAll(() => plane.end())

const said = (method: 'GET' | 'PUT' | 'DELETE', path: string, token = internalToken) =>
  plane.app.inject({ method, url: path, headers: { authorization: `Bearer ${token}` } })
const url = '/platform/operator/health'
const mine = Object.values(api)
  .flatMap((feature): Endpoint[] => Object.values(feature))
  .filter(({ needs }) => needs === 'operator')

test.each(mine.map(({ name, method, path }) => ({ name, method, path })))(
  '$name is refused to an owner of an organization',
  async ({ method, path }) => {
    if (method === 'HEAD') throw new Error('not a call of JSON')
    const body = method === 'GET' ? undefined : { emails: [], webhook_url: null, muted: [] }
    const answer = await owner.call(method, path, body)
    expect(answer).toMatchObject({ status: 403, body: { code: 'not_allowed' } })
  },
)

test('there are pages of operators', () => {
  expect(mine.length).toBeGreaterThan(5)
})

test('nobody makes themselves an operator', async () => {
  for (const token of [owner.token, operator.token]) {
    expect((await said('PUT', '/internal/operators/owner@example.com', token)).statusCode).toBe(401)
    expect((await said('GET', '/internal/operators', token)).statusCode).toBe(401)
  }
  expect((await said('PUT', '/internal/operators/nobody@example.com')).statusCode).toBe(404)
  expect((await said('PUT', '/internal/operators/nonsense')).statusCode).toBe(400)
  expect((await said('GET', '/internal/operators')).json()).toEqual({ operators: [] })
})

test('an operator sees the installation in a session, not with an access token of theirs', async () => {
  const { body: token } = await operator.call('POST', '/platform/profile/access-tokens', {
    name: 'script',
  })
  const added = await said('PUT', '/internal/operators/Operator@example.com')
  expect(added.json()).toMatchObject({ email: 'operator@example.com' })
  expect((await said('PUT', '/internal/operators/operator@example.com')).json()).toEqual(
    added.json(),
  )
  expect((await operator.call('GET', url)).status).toBe(200)
  expect((await operator.call('GET', '/platform/profile')).body['is_operator']).toBe(true)
  expect((await owner.call('GET', '/platform/profile')).body['is_operator']).toBe(false)
  const refused = await said('GET', url, String(token['token']))
  expect(refused.json()).toMatchObject({ code: 'session_required' })
  // The internal token is our programs', and stands for nobody.
  expect((await said('GET', url)).statusCode).toBe(401)
  const entries = await plane.db
    .selectFrom('platform.audit_entries')
    .select(['action', 'change'])
    .where('action', 'like', 'operators.%')
    .execute()
  expect(entries).toEqual([{ action: 'operators.add', change: { email: 'operator@example.com' } }])
})

test('one who is removed, or whose account ends, sees nothing any more', async () => {
  const gone = await newcomer(plane, 'gone')
  await said('PUT', '/internal/operators/gone@example.com')
  expect((await gone.call('GET', url)).status).toBe(200)
  await gone.call('DELETE', '/platform/profile', { email: 'gone@example.com' })
  expect((await gone.call('GET', url)).status).toBeGreaterThanOrEqual(401)
  expect((await said('DELETE', '/internal/operators/operator@example.com')).json()).toEqual({
    removed: true,
  })
  expect((await said('DELETE', '/internal/operators/operator@example.com')).json()).toEqual({
    removed: false,
  })
  expect((await operator.call('GET', url)).status).toBe(403)
  expect((await said('GET', '/internal/operators')).json()).toEqual({ operators: [] })
})
