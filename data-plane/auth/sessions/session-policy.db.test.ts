import { afterAll, beforeAll, expect, test } from 'vitest'
import { bearer, json, refresh, sessionOf, signIn, victim } from '../../testing/auth/attack.ts'
import type { Session } from '../../testing/auth/attack.ts'
import { newEmail, password, startAuthServer } from '../../testing/auth/server.ts'
import type { TestServer, TestTenant } from '../../testing/auth/server.ts'
import { noSessionPolicy, type SessionPolicy } from '../config.ts'

let server: TestServer
beforeAll(async () => {
  server = await startAuthServer()
})
afterAll(() => server.close())

const hour = 3600
const tenantWith = (ref: string, policy: Partial<SessionPolicy>, more = {}) =>
  server.tenant(ref, {
    mailerAutoconfirm: true,
    sessionPolicy: { ...noSessionPolicy, ...policy },
    ...more,
  })

/** A refresh that has to work. */
async function renewed(tenant: TestTenant, token: string): Promise<Session> {
  const answer = await refresh(tenant, token)
  expect(answer.status).toBe(200)
  return json<Session>(answer)
}

async function expectExpired(tenant: TestTenant, session: Session, message: string) {
  // Twice: a refusal is no use of the token.
  for (const attempt of [1, 2]) {
    const answer = await refresh(tenant, session.refresh_token)
    expect({ attempt, status: answer.status, body: await answer.json() }).toMatchObject({
      attempt,
      status: 400,
      body: { code: 400, error_code: 'session_expired', msg: message },
    })
    message = 'Invalid Refresh Token: Session Expired'
  }
  // Its access token, which would live on for a while, ends as well.
  const user = await tenant.call('GET', '/user', undefined, bearer(session.access_token))
  expect(user.status).toBe(403)
}

test('a session ends its hours after the sign-in, however busy it was', async () => {
  const tenant = await tenantWith('timebox', { timeboxHours: 3 })
  let session = await victim(tenant)
  for (const _ of [1, 2]) {
    server.advance(1.4 * hour)
    session = await renewed(tenant, session.refresh_token)
  }
  server.advance(0.3 * hour)
  await expectExpired(tenant, session, 'Invalid Refresh Token: Session Expired')
  // Whoever signs in again begins anew.
  const again = await signIn(tenant, session.user.email)
  await renewed(tenant, again.refresh_token)
})

test('a session that rests for too long ends, and one that is used does not', async () => {
  const tenant = await tenantWith('inactivity', { inactivityHours: 2 })
  let session = await victim(tenant)
  for (const _ of [1, 2, 3]) {
    server.advance(1.9 * hour)
    session = await renewed(tenant, session.refresh_token)
  }
  server.advance(2 * hour)
  const message = 'Invalid Refresh Token: Session Expired (Inactivity)'
  await expectExpired(tenant, session, message)
})

test('without limits a session lasts', async () => {
  const tenant = await tenantWith('unlimited', {})
  const session = await victim(tenant)
  const other = await signIn(tenant, session.user.email)
  server.advance(500 * 24 * hour)
  await renewed(tenant, session.refresh_token)
  await renewed(tenant, other.refresh_token)
})

test('a newer sign-in ends the older session of the same user only', async () => {
  const tenant = await tenantWith('single', { singlePerUser: true })
  const stranger = await victim(tenant)
  const older = await victim(tenant)
  server.advance(1)
  const newer = await signIn(tenant, older.user.email)
  const message = 'Invalid Refresh Token: Session Expired (Revoked by Newer Login)'
  await expectExpired(tenant, older, message)
  await renewed(tenant, newer.refresh_token)
  await renewed(tenant, stranger.refresh_token)
})

test('a newer session that has ended itself ends no other', async () => {
  const tenant = await tenantWith('ended', { singlePerUser: true })
  const older = await victim(tenant)
  server.advance(1)
  const newer = await signIn(tenant, older.user.email)
  const out = await tenant.call(
    'POST',
    '/logout?scope=local',
    undefined,
    bearer(newer.access_token),
  )
  expect(out.status).toBe(204)
  await renewed(tenant, older.refresh_token)
})

test('sessions with different tags stand beside each other', async () => {
  const policy = { singlePerUser: true, tags: ['phone', 'desk'] }
  const tenant = await tenantWith('tags', policy)
  const tagged = async (session: Session, tag: string) => {
    const id = sessionOf(session.access_token)
    await tenant.sql('update auth.sessions set tag = $1 where id = $2', [tag, id])
    server.advance(1)
    return session
  }
  const first = await victim(tenant)
  const { email } = first.user
  const desk = await tagged(first, 'desk')
  const plain = await signIn(tenant, email)
  // Neither a tag that is not in the list nor a missing one makes a place of its own: both count as "phone".
  const odd = await tagged(await signIn(tenant, email), 'watch')
  await renewed(tenant, desk.refresh_token)
  await renewed(tenant, odd.refresh_token)
  expect((await refresh(tenant, plain.refresh_token)).headers.get('x-sb-error-code')).toBe(
    'session_expired',
  )
})

test('without rotation a session keeps its refresh token, and using it again is no theft', async () => {
  const config = { refreshRotation: false, refreshReuseSeconds: 0 }
  const tenant = await tenantWith('still', { inactivityHours: 2 }, config)
  const session = await victim(tenant)
  for (const _ of [1, 2, 3]) {
    server.advance(1.9 * hour)
    const next = await renewed(tenant, session.refresh_token)
    expect(next.refresh_token).toBe(session.refresh_token)
    expect(next.access_token).not.toBe(session.access_token)
  }
  // It is still one that ends.
  await tenant.call('POST', '/logout', undefined, bearer(session.access_token))
  const { access_token: alive } = await signIn(tenant, session.user.email)
  await tenant.call('POST', '/logout', undefined, bearer(alive))
  expect((await refresh(tenant, session.refresh_token)).status).toBe(400)
})

test('a token from when they rotated ends nothing where they do not any more', async () => {
  const tenant = await tenantWith('turned', {}, { refreshReuseSeconds: 0 })
  const client = tenant.client()
  await client.auth.signUp({ email: newEmail(), password })
  const { data: first } = await client.auth.getSession()
  const { data: second } = await client.auth.refreshSession()
  tenant.config.refreshRotation = false
  server.advance(60)
  const old = await refresh(tenant, first.session?.refresh_token ?? '')
  expect(old.headers.get('x-sb-error-code')).toBe('refresh_token_already_used')
  await renewed(tenant, second.session?.refresh_token ?? '')
})
