import { hash } from '@node-rs/bcrypt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  follow,
  lastMail,
  newEmail,
  noLimits,
  password,
  startAuthServer,
} from '../../testing/auth/server.ts'
import type { TestServer, TestTenant } from '../../testing/auth/server.ts'

let server: TestServer
/** Accounts exist at once; links still go out by mail. */
let open: TestTenant
let strict: TestTenant
const uriAllowList = ['https://app.example.com/**', 'myapp://callback']

beforeAll(async () => {
  server = await startAuthServer()
  open = await server.tenant('open', { mailerAutoconfirm: true, uriAllowList })
  strict = await server.tenant('strict', { uriAllowList })
})
afterAll(() => server.close())

async function account(of: TestTenant = open): Promise<string> {
  const email = newEmail()
  await of.sql(
    `insert into auth.users (id, email, encrypted_password, email_confirmed_at)
     values (gen_random_uuid(), $1, $2, now())`,
    [email, await hash(password, 4)],
  )
  return email
}

test.each([
  ['no type', { email: 'a@example.com', token: '123456' }],
  ['an unknown type', { type: 'sesame', email: 'a@example.com', token: '123456' }],
  ['no token', { type: 'email', email: 'a@example.com' }],
  ['no address', { type: 'email', token: '123456' }],
  ['a list as token', { type: 'email', email: 'a@example.com', token: ['123456'] }],
])('verify is refused for %s', async (_, body) => {
  const response = await open.call('POST', '/verify', body)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error_code: 'validation_failed' })
})

test('a wrong code is refused, and guessing ends after some attempts', async () => {
  const rateLimits = { ...noLimits.rateLimits, otpFailures: { points: 3, seconds: 60 } }
  const tenant = await server.tenant('guessed', { mailerAutoconfirm: true, rateLimits })
  const email = await account(tenant)
  await tenant.client().auth.signInWithOtp({ email })
  const { otp } = lastMail(tenant, email)
  const wrong = otp === '000000' ? '000001' : '000000'
  const verify = (token: string) => tenant.client().auth.verifyOtp({ email, token, type: 'email' })
  for (let attempt = 0; attempt < 3; attempt += 1) {
    expect((await verify(wrong)).error).toMatchObject({ status: 403, code: 'otp_expired' })
  }
  expect((await verify(otp)).error).toMatchObject({ status: 429, code: 'over_request_rate_limit' })
})

test('a code of six digits signs in once', async () => {
  const email = await account()
  await open.client().auth.signInWithOtp({ email })
  const { otp } = lastMail(open, email)
  expect(otp).toMatch(/^\d{6}$/)
  const client = open.client()
  const { data } = await client.auth.verifyOtp({
    email: email.toUpperCase(),
    token: otp,
    type: 'email',
  })
  expect(data.user?.email).toBe(email)
  const again = await client.auth.verifyOtp({ email, token: otp, type: 'email' })
  expect(again.error).toMatchObject({ status: 403, code: 'otp_expired' })
})

test('a code belongs to its address, its tenant and its hour', async () => {
  const [email, stranger] = [await account(), await account()]
  await open.client().auth.signInWithOtp({ email })
  const { otp, url } = lastMail(open, email)
  const codeOf = async (address: string, tenant: TestTenant) =>
    (await tenant.client().auth.verifyOtp({ email: address, token: otp, type: 'email' })).error
      ?.code
  expect(await codeOf(stranger, open)).toBe('otp_expired')
  expect(await codeOf(email, strict)).toBe('otp_expired')
  server.advance(3601)
  expect(await codeOf(email, open)).toBe('otp_expired')
  expect((await follow(url)).values.get('error_code')).toBe('otp_expired')
})

test('only a hash of a token is stored, and that hash is no token', async () => {
  const email = await account()
  await open.client().auth.resetPasswordForEmail(email)
  const { url, otp } = lastMail(open, email)
  const token = url.searchParams.get('token') ?? ''
  const [row] = await open.sql(
    'select token_hash from auth.one_time_tokens where relates_to = $1',
    [email],
  )
  const stored = String(row?.['token_hash'])
  expect([token, otp]).not.toContain(stored)
  const { error } = await open.client().auth.verifyOtp({ token_hash: stored, type: 'recovery' })
  expect(error?.code).toBe('otp_expired')
  const { data } = await open.client().auth.verifyOtp({ token_hash: token, type: 'recovery' })
  expect(data.user?.email).toBe(email)
})

test('a newer link replaces the older one', async () => {
  const email = await account()
  await open.client().auth.resetPasswordForEmail(email)
  const older = lastMail(open, email).url
  await open.client().auth.resetPasswordForEmail(email)
  expect((await follow(older)).values.get('error_code')).toBe('otp_expired')
  expect((await follow(lastMail(open, email).url)).values.get('type')).toBe('recovery')
})

test('of two requests with one link only one signs in', async () => {
  const email = await account()
  await open.client().auth.signInWithOtp({ email })
  const { url } = lastMail(open, email)
  const landings = await Promise.all([1, 2, 3, 4].map(() => follow(url)))
  const signedIn = landings.filter(({ values }) => values.has('access_token'))
  expect(signedIn).toHaveLength(1)
})

test('a scanner that looks at a link does not use it up', async () => {
  const email = await account()
  await open.client().auth.signInWithOtp({ email })
  const { url } = lastMail(open, email)
  await fetch(url, { method: 'HEAD', redirect: 'manual' })
  expect((await follow(url)).values.get('access_token')).toBeTruthy()
})

test.each([
  ['http://localhost:3000/welcome?x=1', 'http://localhost:3000/welcome?x=1'],
  ['https://app.example.com/a/b', 'https://app.example.com/a/b'],
  ['myapp://callback', 'myapp://callback'],
  ['https://evil.example.com/', 'http://localhost:3000'],
  ['http://localhost:3000@evil.example.com/', 'http://localhost:3000'],
  ['//evil.example.com', 'http://localhost:3000'],
  ['javascript:alert(1)', 'http://localhost:3000'],
])('a link to %s leads to %s', async (asked, reached) => {
  const email = await account()
  await open.client().auth.signInWithOtp({ email, options: { emailRedirectTo: asked } })
  const { url } = lastMail(open, email)
  url.searchParams.set('redirect_to', asked)
  expect((await follow(url)).to.replace(/\/$/, '')).toBe(reached.replace(/\/$/, ''))
})

test('a link that does not work says so at the allowed target only', async () => {
  const base = `${open.externalUrl}/verify?token=nothing&type=recovery&redirect_to=`
  const { to, values } = await follow(new URL(`${base}https://evil.example.com`))
  expect(to).toBe('http://localhost:3000')
  expect(Object.fromEntries(values)).toEqual({
    error: 'access_denied',
    error_code: 'otp_expired',
    error_description: 'Email link is invalid or has expired',
  })
  const bad = await open.call('GET', '/verify?token=x&type=sesame')
  expect(bad.status).toBe(400)
})

test('recovery tells nobody whether an account exists', async () => {
  const [known, unknown] = [await account(), newEmail()]
  const answers = await Promise.all(
    [known, unknown].map((email) => open.call('POST', '/recover', { email })),
  )
  const seen = await Promise.all(answers.map(async (a) => [a.status, await a.text()]))
  expect(seen[0]).toEqual([200, '{}'])
  expect(seen[1]).toEqual(seen[0])
  expect(open.mails.some((mail) => mail.to === unknown)).toBe(false)
})

test('a second mail within the interval is refused, known or not', async () => {
  const tenant = await server.tenant('patient', {
    mailerAutoconfirm: true,
    mailIntervalSeconds: 60,
  })
  for (const email of [await account(tenant), newEmail()]) {
    expect((await tenant.call('POST', '/recover', { email })).status).toBe(200)
    const again = await tenant.call('POST', '/recover', { email })
    expect(again.status).toBe(429)
    const body = (await again.json()) as { msg: string } // checked on the next line
    expect(body).toMatchObject({ error_code: 'over_email_send_rate_limit' })
    const seconds = again.headers.get('retry-after')
    expect(body.msg).toBe(
      `For security purposes, you can only request this after ${seconds} seconds.`,
    )
  }
})

test('the mails of a tenant have a limit', async () => {
  const rateLimits = { ...noLimits.rateLimits, emails: { points: 1, seconds: 3600 } }
  const tenant = await server.tenant('thrifty', { mailerAutoconfirm: true, rateLimits })
  expect((await tenant.call('POST', '/recover', { email: newEmail() })).status).toBe(200)
  const { error } = await tenant.client().auth.resetPasswordForEmail(newEmail())
  expect(error).toMatchObject({ status: 429, code: 'over_email_send_rate_limit' })
})

test('a recovery link of a PKCE client gives a code that only this client can use', async () => {
  const email = await account()
  const client = open.client(open.anonKey, 'pkce')
  await client.auth.resetPasswordForEmail(email, { redirectTo: 'http://localhost:3000/reset' })
  const { url } = lastMail(open, email)
  expect(url.searchParams.get('token')).toMatch(/^pkce_/)
  const { to, values } = await follow(url)
  expect(new URL(to).pathname).toBe('/reset')
  const code = values.get('code') ?? ''
  expect(values.has('access_token')).toBe(false)

  const exchange = (auth_code: string, code_verifier: string) =>
    open.call('POST', '/token?grant_type=pkce', { auth_code, code_verifier })
  const thief = await exchange(code, 'x'.repeat(43))
  expect([thief.status, thief.headers.get('x-sb-error-code')]).toEqual([403, 'bad_code_verifier'])
  const guess = await exchange('guessed', 'x'.repeat(43))
  expect([guess.status, guess.headers.get('x-sb-error-code')]).toEqual([
    404,
    'flow_state_not_found',
  ])

  const { data, error } = await client.auth.exchangeCodeForSession(code)
  expect(error).toBeNull()
  expect(data.user?.email).toBe(email)
  expect((await client.auth.updateUser({ password: 'a new password' })).error).toBeNull()
  const spent = await exchange(code, 'x'.repeat(43))
  expect(spent.status).toBe(404)
})

test('a PKCE code is good for five minutes', async () => {
  const email = await account()
  const client = open.client(open.anonKey, 'pkce')
  await client.auth.signInWithOtp({ email })
  const { values } = await follow(lastMail(open, email).url)
  server.advance(301)
  const { error } = await client.auth.exchangeCodeForSession(values.get('code') ?? '')
  expect(error).toMatchObject({ status: 403, code: 'flow_state_expired' })
})

test('a failed PKCE link reports in query and fragment', async () => {
  const { to, values } = await follow(
    new URL(`${open.externalUrl}/verify?token=pkce_nothing&type=recovery`),
  )
  expect(new URL(to).searchParams.get('error_code')).toBe('otp_expired')
  expect(values.get('error_code')).toBe('otp_expired')
})

test('a magic link makes an account, unless it may not', async () => {
  const client = strict.client()
  const stranger = newEmail()
  const refused = await client.auth.signInWithOtp({
    email: stranger,
    options: { shouldCreateUser: false },
  })
  expect(refused.error).toMatchObject({ status: 422, code: 'otp_disabled' })
  const email = newEmail()
  await client.auth.signInWithOtp({ email, options: { data: { plan: 'free' } } })
  const { otp } = lastMail(strict, email)
  const { data } = await client.auth.verifyOtp({ email, token: otp, type: 'email' })
  expect(data.user).toMatchObject({ email, user_metadata: { plan: 'free' } })
  expect(data.user?.email_confirmed_at).toBeDefined()
  expect(await strict.sql('select 1 from auth.users where email = $1', [stranger])).toEqual([])
})

test('a password that a stranger chose does not survive the owner proving the address', async () => {
  const email = newEmail()
  await strict.client().auth.signUp({ email, password })
  await strict.client().auth.signInWithOtp({ email })
  await follow(lastMail(strict, email).url)
  const { error } = await strict.client().auth.signInWithPassword({ email, password })
  expect(error?.code).toBe('invalid_credentials')
})

test('resend sends a confirmation again, only to who waits for one', async () => {
  const [waiting, confirmed] = [newEmail(), await account(strict)]
  await strict.client().auth.signUp({ email: waiting, password })
  const sent = strict.mails.length
  for (const email of [waiting, confirmed, newEmail()]) {
    const { error } = await strict.client().auth.resend({ type: 'signup', email })
    expect(error).toBeNull()
  }
  expect(strict.mails.slice(sent).map((mail) => mail.to)).toEqual([waiting])
  const { otp } = lastMail(strict, waiting)
  const verified = await strict
    .client()
    .auth.verifyOtp({ email: waiting, token: otp, type: 'signup' })
  expect(verified.data.session).not.toBeNull()
  const wrong = await strict.call('POST', '/resend', { type: 'sesame', email: waiting })
  expect(wrong.status).toBe(400)
})

test('a banned user cannot get in by mail', async () => {
  const email = await account()
  await open.client().auth.signInWithOtp({ email })
  await open.sql(
    `update auth.users set banned_until = now() + interval '3 days' where email = $1`,
    [email],
  )
  const { values } = await follow(lastMail(open, email).url)
  expect(values.get('error_code')).toBe('user_banned')
})
