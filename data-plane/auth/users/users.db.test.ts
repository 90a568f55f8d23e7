import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { follow, lastMail, newEmail, password, startAuthServer } from '../../testing/auth/server.ts'
import type { TestServer, TestTenant } from '../../testing/auth/server.ts'

let server: TestServer
let open: TestTenant
/** E-mail changes need a mail to both addresses; accounts come from the admin API. */
let strict: TestTenant

beforeAll(async () => {
  server = await startAuthServer()
  open = await server.tenant('open', { mailerAutoconfirm: true })
  strict = await server.tenant('strict')
})
afterAll(() => server.close())

async function signedIn(
  tenant: TestTenant,
): Promise<{ client: SupabaseClient; email: string; token: string }> {
  const email = newEmail()
  const admin = tenant.client(tenant.serviceKey).auth.admin
  await admin.createUser({ email, password, email_confirm: true, user_metadata: { a: 1, b: 2 } })
  const client = tenant.client()
  const { data } = await client.auth.signInWithPassword({ email, password })
  return { client, email, token: data.session?.access_token ?? '' }
}

test.each([
  ['no token', {}, 401, 'no_authorization'],
  ['no bearer', { authorization: 'Basic abc' }, 401, 'no_authorization'],
  ['nonsense', { authorization: 'Bearer abc' }, 403, 'bad_jwt'],
])('the user is refused with %s', async (_, headers, status, code) => {
  for (const method of ['GET', 'PUT']) {
    const body = method === 'PUT' ? {} : undefined
    const response = await open.call(method, '/user', body, headers)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ error_code: code })
  }
})

test('an API key is no user', async () => {
  for (const key of [open.anonKey, open.serviceKey]) {
    const headers = { authorization: `Bearer ${key}` }
    const response = await open.call('GET', '/user', undefined, headers)
    expect([response.status, response.headers.get('x-sb-error-code')]).toEqual([403, 'bad_jwt'])
  }
})

test('an expired token is refused', async () => {
  const later = await startAuthServer()
  const tenant = await later.tenant('later')
  const { token } = await signedIn(tenant)
  later.advance(3601)
  const headers = { authorization: `Bearer ${token}` }
  const response = await tenant.call('GET', '/user', undefined, headers)
  expect(response.status).toBe(403)
  expect(await response.json()).toMatchObject({ error_code: 'bad_jwt' })
  await later.close()
})

test.each([
  ['a short password', { password: '1' }, 422, 'weak_password'],
  ['the same password', { password }, 422, 'same_password'],
  ['a bad address', { email: 'nobody' }, 400, 'validation_failed'],
  ['a phone number', { phone: '4915112345678' }, 400, 'phone_provider_disabled'],
  ['data that is text', { data: 'x' }, 400, 'validation_failed'],
  ['data over 64 KiB', { data: { x: 'x'.repeat(65 * 1024) } }, 400, 'validation_failed'],
])('an update is refused for %s', async (_, body, status, code) => {
  const { token, client } = await signedIn(open)
  const headers = { authorization: `Bearer ${token}` }
  const response = await open.call('PUT', '/user', body, headers)
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject({ error_code: code })
  expect((await client.auth.getUser()).data.user?.user_metadata).toEqual({ a: 1, b: 2 })
})

test('metadata is merged and null removes a key', async () => {
  const { client } = await signedIn(open)
  const { data } = await client.auth.updateUser({ data: { a: null, c: { d: [1] } } })
  expect(data.user?.user_metadata).toEqual({ b: 2, c: { d: [1] } })
})

test('a user cannot give themselves a role or app metadata', async () => {
  const { token, client } = await signedIn(open)
  const headers = { authorization: `Bearer ${token}` }
  const body = { role: 'service_role', app_metadata: { admin: true }, aud: 'x', data: { z: 1 } }
  expect((await open.call('PUT', '/user', body, headers)).status).toBe(200)
  const { data } = await client.auth.getUser()
  expect(data.user).toMatchObject({ role: 'authenticated', aud: 'authenticated' })
  expect(data.user?.app_metadata).toEqual({ provider: 'email', providers: ['email'] })
})

test('a new password ends the other sessions and every open link', async () => {
  const { client, email } = await signedIn(open)
  const elsewhere = open.client()
  await elsewhere.auth.signInWithPassword({ email, password })
  await open.client().auth.resetPasswordForEmail(email)
  expect((await client.auth.updateUser({ password: 'a new password' })).error).toBeNull()
  expect((await client.auth.getUser()).error).toBeNull()
  expect((await elsewhere.auth.getUser()).error?.name).toBe('AuthSessionMissingError')
  expect((await follow(lastMail(open, email).url)).values.get('error_code')).toBe('otp_expired')
  const old = await open.client().auth.signInWithPassword({ email, password })
  expect(old.error?.code).toBe('invalid_credentials')
  const fresh = await open.client().auth.signInWithPassword({ email, password: 'a new password' })
  expect(fresh.error).toBeNull()
})

test('a tenant may ask for the current password', async () => {
  const tenant = await server.tenant('careful', { requireCurrentPassword: true })
  const { token } = await signedIn(tenant)
  const headers = { authorization: `Bearer ${token}` }
  const update = async (current_password?: string) => {
    const body = { password: 'a new password', current_password }
    const response = await tenant.call('PUT', '/user', body, headers)
    return response.headers.get('x-sb-error-code')
  }
  expect(await update()).toBe('current_password_required')
  expect(await update('wrong')).toBe('invalid_credentials')
  expect(await update(password)).toBeNull()
})

test('a tenant may ask for a nonce once a session is a day old', async () => {
  const aged = await startAuthServer()
  const tenant = await aged.tenant('secure', { securePasswordChange: true })
  tenant.jwt.expirySeconds = 7 * 24 * 3600
  const { client, email } = await signedIn(tenant)
  expect((await client.auth.updateUser({ password: 'the second one' })).error).toBeNull()
  aged.advance(25 * 3600)
  const change = (nonce?: string) =>
    client.auth.updateUser({ password: 'the third one', ...(nonce && { nonce }) })
  expect((await change()).error?.code).toBe('reauthentication_needed')
  expect((await client.auth.reauthenticate()).error).toBeNull()
  const { otp, mail } = lastMail(tenant, email)
  expect(mail.kind).toBe('reauthentication')
  const wrong = otp === '000000' ? '000001' : '000000'
  expect((await change(wrong)).error).toMatchObject({ code: 'reauthentication_not_valid' })
  expect((await change(otp)).error).toBeNull()
  await aged.close()
})

test('without confirmation an e-mail change happens at once', async () => {
  const { client, email } = await signedIn(open)
  const taken = await signedIn(open)
  const refused = await client.auth.updateUser({ email: taken.email })
  expect(refused.error).toMatchObject({ status: 422, code: 'email_exists' })
  const next = newEmail()
  const { data } = await client.auth.updateUser({ email: next.toUpperCase() })
  expect(data.user).toMatchObject({ email: next, identities: [{ email: next }] })
  expect(data.user?.new_email).toBeUndefined()
  const old = await open.client().auth.signInWithPassword({ email, password })
  expect(old.error?.code).toBe('invalid_credentials')
})

test('with confirmation both addresses have to agree to a change', async () => {
  const { client, email } = await signedIn(strict)
  const next = newEmail()
  const { data } = await client.auth.updateUser({ email: next })
  expect(data.user).toMatchObject({ email, new_email: next })
  expect(data.user?.email_change_sent_at).toBeDefined()
  const half = await follow(lastMail(strict, next).url)
  expect(half.values.get('message')).toContain('other email')
  expect(half.values.has('access_token')).toBe(false)
  expect((await client.auth.getUser()).data.user).toMatchObject({ email, new_email: next })
  const { otp } = lastMail(strict, email)
  const done = await strict.client().auth.verifyOtp({ email, token: otp, type: 'email_change' })
  expect(done.data.user).toMatchObject({ email: next, identities: [{ email: next }] })
  expect(done.data.user?.new_email).toBeUndefined()
})

test('a change that lost its address to somebody else is refused', async () => {
  const single = await server.tenant('single', { secureEmailChange: false })
  const { client, email } = await signedIn(single)
  const next = newEmail()
  await client.auth.updateUser({ email: next })
  expect(single.mails.map((mail) => mail.to)).toEqual([next])
  await single.client(single.serviceKey).auth.admin.createUser({ email: next, password })
  const { values } = await follow(lastMail(single, next).url)
  expect(values.get('error_code')).toBe('email_exists')
  expect((await client.auth.getUser()).data.user?.email).toBe(email)
})

test('a change can be mailed again, and then only the new links work', async () => {
  const { client, email } = await signedIn(strict)
  const next = newEmail()
  await client.auth.updateUser({ email: next })
  const older = lastMail(strict, next).url
  expect((await client.auth.resend({ type: 'email_change', email })).error).toBeNull()
  expect((await follow(older)).values.get('error_code')).toBe('otp_expired')
  await follow(lastMail(strict, next).url)
  await follow(lastMail(strict, email).url)
  expect((await client.auth.getUser()).data.user?.email).toBe(next)
})
