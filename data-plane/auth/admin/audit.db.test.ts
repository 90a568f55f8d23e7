import { afterAll, beforeAll, expect, test } from 'vitest'
import { bearer, code, json, refresh, signIn, victim } from '../../testing/auth/attack.ts'
import { noSessionPolicy } from '../config.ts'
import { follow, lastMail, newEmail, password, startAuthServer } from '../../testing/auth/server.ts'
import type { TestServer, TestTenant } from '../../testing/auth/server.ts'

let server: TestServer
let tenant: TestTenant

beforeAll(async () => {
  server = await startAuthServer()
  tenant = await server.tenant('main', { mailerAutoconfirm: true })
})
afterAll(() => server.close())

type Entry = {
  id: string
  payload: Record<string, unknown>
  created_at: string
  ip_address: string
}
const read = (query = '', headers = bearer(tenant.serviceKey)) =>
  tenant.call('GET', `/admin/audit${query}`, undefined, headers)
const entries = async (query = '') => json<Entry[]>(await read(query))
const actionsOf = async (email: string) =>
  (await entries(`?query=author:${email}&per_page=100`)).map(({ payload }) => payload['action'])

test('only the service key reads the entries', async () => {
  expect(await code(await tenant.call('GET', '/admin/audit'))).toEqual([401, 'no_authorization'])
  const user = await victim(tenant)
  expect(await code(await read('', bearer(user.access_token)))).toEqual([403, 'not_admin'])
  expect(await code(await read('', bearer(tenant.anonKey)))).toEqual([403, 'not_admin'])
})

test.each([
  '?page=0',
  '?per_page=1001',
  '?page=x',
  '?query=password:x',
  '?query=login',
  '?query=constructor:x',
])('%s is refused', async (query) => {
  expect(await code(await read(query))).toEqual([400, 'validation_failed'])
})

test('entries say who did what and when, the latest first, in pages', async () => {
  const { user, access_token: token, refresh_token: renewal } = await victim(tenant)
  server.advance(1)
  await refresh(tenant, renewal)
  server.advance(1)
  await tenant.call('PUT', '/user', { data: { name: 'Ada' } }, bearer(token))
  server.advance(1)
  await tenant.call('POST', '/logout?scope=global', undefined, bearer(token))
  server.advance(1)
  const answer = await read(`?query=author:${user.email.toUpperCase()}&per_page=2`)
  expect(answer.headers.get('x-total-count')).toBe('4')
  expect(answer.headers.get('link')).toContain('/admin/audit?page=2&per_page=2>; rel="next"')
  const [latest, second] = await json<Entry[]>(answer)
  expect(latest).toEqual({
    id: expect.any(String),
    created_at: expect.stringMatching(/Z$/),
    ip_address: '127.0.0.1',
    payload: {
      action: 'logout',
      actor_id: user.id,
      actor_username: user.email,
      actor_via_sso: false,
      log_type: 'account',
      traits: { scope: 'global' },
    },
  })
  expect(second?.payload['action']).toBe('user_modified')
  const rest = await entries(`?query=author:${user.email}&per_page=2&page=2`)
  expect(rest.map(({ payload }) => payload['action'])).toEqual(['token_refreshed', 'user_signedup'])
  const byAction = await entries('?query=action:sign&per_page=1000')
  expect(new Set(byAction.map(({ payload }) => payload['action']))).toEqual(
    new Set(['user_signedup']),
  )
  const byType = await entries('?query=type:token&per_page=1000')
  expect(byType.every(({ payload }) => payload['log_type'] === 'token')).toBe(true)
  // A sign of patterns is itself.
  expect(await entries('?query=author:%25')).toEqual([])
})

test('a session that its policy ended, and a wrong code, are written down', async () => {
  const { user, refresh_token: renewal } = await victim(tenant)
  tenant.config.sessionPolicy = { ...noSessionPolicy, timeboxHours: 0.01 }
  server.advance(60)
  await refresh(tenant, renewal)
  tenant.config.sessionPolicy = noSessionPolicy
  expect(await actionsOf(user.email)).toEqual(['token_revoked', 'user_signedup'])
  const { access_token: token } = await signIn(tenant, user.email)
  const made = await tenant.call('POST', '/factors', { factor_type: 'totp' }, bearer(token))
  const path = `/factors/${(await json<{ id: string }>(made)).id}`
  const asked = await tenant.call('POST', `${path}/challenge`, {}, bearer(token))
  const { id } = await json<{ id: string }>(asked)
  const wrong = { challenge_id: id, code: '1' }
  await tenant.call('POST', `${path}/verify`, wrong, bearer(token))
  const factors = await entries('?query=type:factor&per_page=1000')
  const own = factors.filter(({ payload }) => payload['actor_username'] === user.email)
  expect(new Set(own.map(({ payload }) => payload['action']))).toEqual(
    new Set(['factor_in_progress', 'challenge_created', 'verification_attempted']),
  )
})

test('entries go after ninety days, as new ones come', async () => {
  await tenant.sql(`insert into auth.audit_log_entries (id, payload, created_at)
    select gen_random_uuid(), '{"action": "ancient"}', now() - interval '200 days' from generate_series(1, 15)`)
  await tenant.sql(`insert into auth.audit_log_entries (id, payload, created_at)
    select gen_random_uuid(), '{"action": "aged"}', now() - interval '80 days' from generate_series(1, 15)`)
  const left = async (action: string) => (await entries(`?query=action:${action}`)).length
  expect(await left('ancient')).toBe(15)
  await victim(tenant)
  expect(await left('ancient')).toBe(5)
  await victim(tenant)
  expect([await left('ancient'), await left('aged')]).toEqual([0, 15])
})

test('who has not confirmed the address signs in where that is allowed, until its owner comes', async () => {
  const lax = await server.tenant('lax', { allowUnverifiedEmail: false })
  const email = newEmail()
  await lax.call('POST', '/signup', { email, password })
  const attempt = () => lax.call('POST', '/token?grant_type=password', { email, password })
  expect(await code(await attempt())).toEqual([400, 'email_not_confirmed'])
  lax.config.allowUnverifiedEmail = true
  const stranger = await json<{ access_token: string; refresh_token: string }>(await attempt())
  const user = await lax.call('GET', '/user', undefined, bearer(stranger.access_token))
  expect(await user.json()).not.toHaveProperty('email_confirmed_at')
  // The owner of the address never chose that password: proving to own it ends what was done with it.
  await lax.call('POST', '/recover', { email })
  const { values } = await follow(lastMail(lax, email).url)
  expect(values.get('access_token')).toBeTruthy()
  expect(await code(await attempt())).toEqual([400, 'invalid_credentials'])
  expect((await refresh(lax, stranger.refresh_token)).status).toBe(400)
  expect((await lax.call('GET', '/user', undefined, bearer(stranger.access_token))).status).toBe(
    403,
  )
})
