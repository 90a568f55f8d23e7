import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  bearer,
  code,
  json,
  refresh,
  sessionOf,
  signIn,
  victim,
} from '../../testing/auth/attack.ts'
import type { Session } from '../../testing/auth/attack.ts'
import { follow, lastMail, newEmail, password, startAuthServer } from '../../testing/auth/server.ts'
import type { TestServer, TestTenant } from '../../testing/auth/server.ts'

/** Whoever has an old token tries it: after each kind of end it must be worth nothing. */
let server: TestServer
let open: TestTenant

beforeAll(async () => {
  server = await startAuthServer()
  open = await server.tenant('open', { mailerAutoconfirm: true })
})
afterAll(() => server.close())

/** Neither token of a session does anything any more. */
async function expectDead({ access_token, refresh_token }: Session): Promise<void> {
  expect((await open.call('GET', '/user', undefined, bearer(access_token))).status).toBe(403)
  expect(await server.auth.access.holderOf(open, access_token)).toBeUndefined()
  expect((await refresh(open, refresh_token)).status).toBe(400)
}

test('token reuse: after sign-out everywhere no token of any session works', async () => {
  const first = await victim(open)
  const second = await signIn(open, first.user.email)
  await open.call('POST', '/logout', undefined, bearer(first.access_token))
  await expectDead(first)
  await expectDead(second)
})

test('token reuse: a session that was revoked from the list is dead, others are not', async () => {
  const first = await victim(open)
  const second = await signIn(open, first.user.email)
  const path = `/sessions/${sessionOf(second.access_token)}`
  expect((await open.call('DELETE', path, undefined, bearer(first.access_token))).status).toBe(204)
  await expectDead(second)
  expect(
    await code(await open.call('DELETE', path, undefined, bearer(first.access_token))),
  ).toEqual([404, 'session_not_found'])
  expect((await refresh(open, first.refresh_token)).status).toBe(200)
})

test("nobody revokes or sees somebody else's session", async () => {
  const [owner, stranger] = [await victim(open), await victim(open)]
  const path = `/sessions/${sessionOf(owner.access_token)}`
  for (const target of [path, '/sessions/none', "/sessions/1' or '1'='1"]) {
    const refused = await open.call('DELETE', target, undefined, bearer(stranger.access_token))
    expect(await code(refused)).toEqual([404, 'session_not_found'])
  }
  expect(await server.auth.access.holderOf(open, owner.access_token)).toBeDefined()
  const list = await open.call('GET', '/sessions', undefined, bearer(stranger.access_token))
  const { sessions } = await json<{ sessions: { id: string }[] }>(list)
  expect(sessions.map(({ id }) => id)).toEqual([sessionOf(stranger.access_token)])
  expect((await open.call('GET', '/sessions')).status).toBe(401)
  const key = bearer(open.serviceKey)
  expect((await open.call('GET', '/sessions', undefined, key)).status).toBe(403)
})

test('token reuse: a new password ends every other session, and a recovery all that were there', async () => {
  const owner = await victim(open)
  const thief = await signIn(open, owner.user.email)
  const body = { password: 'a better password' }
  await open.call('PUT', '/user', body, bearer(owner.access_token))
  await expectDead(thief)
  const again = await signIn(open, owner.user.email, 'a better password')
  await open.call('POST', '/recover', { email: owner.user.email })
  const { values } = await follow(lastMail(open, owner.user.email).url)
  const recovered = values.get('access_token') ?? ''
  await open.call('PUT', '/user', { password: 'the best password' }, bearer(recovered))
  await expectDead(again)
})

test('token reuse: a stolen refresh token ends the session for the thief as well', async () => {
  const owner = await victim(open)
  const next = await json<Session>(await refresh(open, owner.refresh_token))
  server.advance(11)
  expect(await code(await refresh(open, owner.refresh_token))).toEqual([
    400,
    'refresh_token_already_used',
  ])
  await expectDead(next)
})

test('token reuse: nothing of a deleted user works, and the address is free', async () => {
  const owner = await victim(open)
  await open.call('DELETE', `/admin/users/${owner.user.id}`, {}, bearer(open.serviceKey))
  await expectDead(owner)
  const fresh = await open.call('POST', '/signup', { email: owner.user.email, password })
  expect((await json<Session>(fresh)).user.id).not.toBe(owner.user.id)
})

test('a link that was mailed to an old address does not open the account under its new one', async () => {
  const owner = await victim(open)
  await open.call('POST', '/recover', { email: owner.user.email })
  const { url } = lastMail(open, owner.user.email)
  const body = { email: newEmail() }
  await open.call('PUT', '/user', body, bearer(owner.access_token))
  expect((await follow(url)).values.get('error_code')).toBe('otp_expired')
})
