import type { Session } from '@supabase/supabase-js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newEmail, password, startAuthServer } from '../../testing/auth/server.ts'
import type { TestServer, TestTenant } from '../../testing/auth/server.ts'

let server: TestServer
let tenant: TestTenant
let other: TestTenant

beforeAll(async () => {
  server = await startAuthServer()
  tenant = await server.tenant('main', { mailerAutoconfirm: true })
  other = await server.tenant('other', { mailerAutoconfirm: true })
})
afterAll(() => server.close())

async function newSession(of: TestTenant = tenant): Promise<Session> {
  const { data } = await of.client().auth.signUp({ email: newEmail(), password })
  if (!data.session) throw new Error('sign-up gave no session')
  return data.session
}
async function signInAgain({ user }: Session): Promise<Session> {
  const email = user.email ?? ''
  const { data } = await tenant.client().auth.signInWithPassword({ email, password })
  if (!data.session) throw new Error('sign-in gave no session')
  return data.session
}
const refresh = (token: unknown, of: TestTenant = tenant) =>
  of.call('POST', '/token?grant_type=refresh_token', { refresh_token: token })
async function refreshed(token: string): Promise<Session> {
  const response = await refresh(token)
  expect(response.status).toBe(200)
  return (await response.json()) as Session // the library checks the shape elsewhere
}
const userStatus = async ({ access_token }: Session, of: TestTenant = tenant) => {
  const headers = { authorization: `Bearer ${access_token}` }
  const response = await of.call('GET', '/user', undefined, headers)
  return [response.status, response.headers.get('x-sb-error-code')]
}
const logout = (session: Session, scope: string) =>
  tenant.call('POST', `/logout?scope=${scope}`, undefined, {
    authorization: `Bearer ${session.access_token}`,
  })

test.each([
  ['missing', undefined, 'validation_failed'],
  ['empty', '', 'validation_failed'],
  ['no text', 7, 'validation_failed'],
  ['unknown', 'plrt_unknown', 'refresh_token_not_found'],
])('a refresh token that is %s is refused', async (_, token, code) => {
  const response = await refresh(token)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error_code: code })
})

test('refresh rotates the token and keeps the session', async () => {
  const first = await newSession()
  const second = await refreshed(first.refresh_token)
  expect(second.refresh_token).not.toBe(first.refresh_token)
  expect(second.user.id).toBe(first.user.id)
  const sessionOf = (token: string): unknown =>
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).session_id
  expect(sessionOf(second.access_token)).toBe(sessionOf(first.access_token))
  expect((await refreshed(second.refresh_token)).user.id).toBe(first.user.id)
})

test('parallel refreshes all get the one active token', async () => {
  // Open connections first, so that the requests really meet in the database.
  await Promise.all(Array.from({ length: 10 }, () => tenant.pool.query('select pg_sleep(0.1)')))
  for (let round = 0; round < 5; round += 1) {
    const { refresh_token } = await newSession()
    const all = await Promise.all(Array.from({ length: 10 }, () => refreshed(refresh_token)))
    const tokens = new Set(all.map((session) => session.refresh_token))
    expect(tokens.size).toBe(1)
    expect(tokens.has(refresh_token)).toBe(false)
  }
})

test('within the interval an old token leads to the active one, however far it went', async () => {
  const first = await newSession()
  const second = await refreshed(first.refresh_token)
  const third = await refreshed(second.refresh_token)
  expect((await refreshed(first.refresh_token)).refresh_token).toBe(third.refresh_token)
})

test('a token that comes back after the interval ends the whole session', async () => {
  const first = await newSession()
  const bystander = await signInAgain(first)
  const second = await refreshed(first.refresh_token)
  server.advance(11)
  const stolen = await refresh(first.refresh_token)
  expect(stolen.status).toBe(400)
  expect(await stolen.json()).toMatchObject({ error_code: 'refresh_token_already_used' })
  const active = await refresh(second.refresh_token)
  expect(active.status).toBe(400)
  expect(await active.json()).toMatchObject({ error_code: 'refresh_token_already_used' })
  expect(await userStatus(second)).toEqual([403, 'session_not_found'])
  const again = await refresh(first.refresh_token)
  expect(await again.json()).toMatchObject({ error_code: 'refresh_token_already_used' })
  // The user's other session is a family of its own.
  expect(await userStatus(bystander)).toEqual([200, null])
  const entries = await tenant.sql(
    `select 1 from auth.audit_log_entries where payload ->> 'action' = 'token_revoked' and payload ->> 'actor_id' = $1`,
    [first.user.id],
  )
  expect(entries).toHaveLength(1)
})

test('a session that is over cannot be refreshed', async () => {
  const session = await newSession()
  await tenant.sql(
    `update auth.sessions set not_after = now() - interval '1 s' where user_id = $1`,
    [session.user.id],
  )
  const response = await refresh(session.refresh_token)
  expect(await response.json()).toMatchObject({ error_code: 'session_expired' })
})

test('a banned user cannot refresh, nor use the token they have', async () => {
  const session = await newSession()
  await tenant.sql(`update auth.users set banned_until = now() + interval '1 day' where id = $1`, [
    session.user.id,
  ])
  const response = await refresh(session.refresh_token)
  expect(await response.json()).toMatchObject({ error_code: 'user_banned' })
  expect(await userStatus(session)).toEqual([403, 'user_banned'])
})

test('tokens of one tenant mean nothing to another', async () => {
  const session = await newSession()
  expect(await userStatus(session, other)).toEqual([403, 'bad_jwt'])
  expect((await refresh(session.refresh_token, other)).status).toBe(400)
  const { data, error } = await other.client(tenant.serviceKey).auth.admin.listUsers()
  expect([data.users, error?.code]).toEqual([[], 'bad_jwt'])
})

test.each([
  ['local', [403, 200]],
  ['global', [403, 403]],
  ['others', [200, 403]],
  ['', [403, 403]],
])('logout with scope "%s" ends the right sessions', async (scope, statuses) => {
  const mine = await newSession()
  const elsewhere = await signInAgain(mine)
  expect((await logout(mine, scope)).status).toBe(204)
  expect([(await userStatus(mine))[0], (await userStatus(elsewhere))[0]]).toEqual(statuses)
  const ended = statuses[0] === 403 ? mine : elsewhere
  expect(await userStatus(ended)).toEqual([403, 'session_not_found'])
  const response = await refresh(ended.refresh_token)
  expect(await response.json()).toMatchObject({ error_code: 'refresh_token_not_found' })
})

test('logout refuses an unknown scope and a caller without session', async () => {
  const session = await newSession()
  expect((await logout(session, 'everything')).status).toBe(400)
  expect(await userStatus(session)).toEqual([200, null])
  expect((await tenant.call('POST', '/logout')).status).toBe(401)
  await logout(session, 'local')
  expect((await logout(session, 'local')).status).toBe(403)
})

test('the client library signs out and notices that a session has ended', async () => {
  const client = tenant.client()
  await client.auth.signUp({ email: newEmail(), password })
  await tenant.sql('delete from auth.sessions')
  const { error } = await client.auth.getUser()
  expect(error?.name).toBe('AuthSessionMissingError')
  await client.auth.signUp({ email: newEmail(), password })
  expect((await client.auth.signOut()).error).toBeNull()
  expect((await client.auth.getSession()).data.session).toBeNull()
})

test('outside of this service a token counts until its session ends, and not a moment longer', async () => {
  const session = await newSession()
  const holder = (token = session.access_token) => server.auth.access.holderOf(tenant, token)
  expect(await holder()).toMatchObject({ userId: session.user.id, aal: 'aal1' })
  expect(await server.auth.access.holderOf(other, session.access_token)).toBeUndefined()
  expect(await holder('no.token.atall')).toBeUndefined()
  await logout(session, 'local')
  expect(await holder()).toBeUndefined()
})

test('outside of this service a banned or deleted user is nobody', async () => {
  const { user, access_token } = await newSession()
  const holder = () => server.auth.access.holderOf(tenant, access_token)
  await tenant.sql(`update auth.users set banned_until = now() + interval '1 day' where id = $1`, [
    user.id,
  ])
  expect(await holder()).toBeUndefined()
  await tenant.sql('update auth.users set banned_until = null where id = $1', [user.id])
  expect(await holder()).toMatchObject({ userId: user.id })
  await tenant.sql('update auth.users set deleted_at = now() where id = $1', [user.id])
  expect(await holder()).toBeUndefined()
})
