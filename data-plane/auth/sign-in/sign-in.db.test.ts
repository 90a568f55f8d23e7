import { hash } from '@node-rs/bcrypt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newEmail, noLimits, password, startAuthServer } from '../../testing/auth/server.ts'
import type { TestServer, TestTenant } from '../../testing/auth/server.ts'

let server: TestServer
let tenant: TestTenant

beforeAll(async () => {
  server = await startAuthServer()
  tenant = await server.tenant('main', { mailerAutoconfirm: true })
})
afterAll(() => server.close())

async function account(of: TestTenant = tenant): Promise<string> {
  const email = newEmail()
  const { error } = await of.client().auth.signUp({ email, password })
  if (error) throw error
  return email
}
const signIn = (email: string, given = password, of: TestTenant = tenant) =>
  of.client().auth.signInWithPassword({ email, password: given })

test.each([
  ['no body', undefined, 400, 'bad_json'],
  ['no address', { password }, 400, 'validation_failed'],
  ['a phone number', { phone: '4915112345678', password }, 400, 'phone_provider_disabled'],
  ['no password', { email: 'a@example.com' }, 400, 'invalid_credentials'],
  ['a number as password', { email: 'a@example.com', password: 1 }, 400, 'validation_failed'],
])('sign-in is refused for %s', async (_, body, status, code) => {
  const response = await tenant.call('POST', '/token?grant_type=password', body)
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject({ error_code: code })
})

test.each(['', 'implicit', 'PASSWORD'])('grant type "%s" is refused', async (grant) => {
  const response = await tenant.call('POST', `/token?grant_type=${grant}`, { email: 'a@b.de' })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error_code: 'validation_failed' })
})

test('an unknown address and a wrong password get the same answer', async () => {
  const email = await account()
  const wrong = await tenant.call('POST', '/token?grant_type=password', { email, password: 'x' })
  const unknown = await tenant.call('POST', '/token?grant_type=password', {
    email: newEmail(),
    password: 'x',
  })
  expect([wrong.status, unknown.status]).toEqual([400, 400])
  const texts = [await wrong.text(), await unknown.text()]
  expect(texts[0]).toBe(texts[1])
  expect(texts[0]).toContain('Invalid login credentials')
})

test('an unknown address costs a hash like a known one, and too many at once are refused', async () => {
  const busy = await startAuthServer({ limits: { concurrency: 1, queue: 0 } })
  const crowded = await busy.tenant('crowded')
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      crowded.call('POST', '/token?grant_type=password', { email: newEmail(), password }),
    ),
  )
  const statuses = answers.map((answer) => answer.status).toSorted((a, b) => a - b)
  expect(statuses).toContain(400)
  expect(statuses.at(-1)).toBe(429)
  expect(answers.find((answer) => answer.status === 429)?.headers.get('retry-after')).toBe('2')
  await busy.close()
})

test('a password of more than 72 bytes never fits', async () => {
  const email = newEmail()
  const long = 'a'.repeat(72)
  await tenant.client().auth.signUp({ email, password: long })
  expect((await signIn(email, long)).error).toBeNull()
  expect((await signIn(email, `${long}b`)).error?.code).toBe('invalid_credentials')
})

test('sign-in gives a session, in any case of the address', async () => {
  const email = await account()
  const { data, error } = await signIn(` ${email.toUpperCase()} `)
  expect(error).toBeNull()
  expect(data.user?.last_sign_in_at).toBeDefined()
  const [row] = await tenant.sql(
    `select count(*)::int as sessions from auth.sessions where user_id = $1`,
    [data.user?.id],
  )
  expect(row).toEqual({ sessions: 2 })
  const stored = await tenant.sql('select token from auth.refresh_tokens')
  expect(stored.map(({ token }) => token)).not.toContain(data.session?.refresh_token)
})

test('a user who was seeded by SQL can sign in', async () => {
  const id = crypto.randomUUID()
  const email = newEmail()
  await tenant.sql(
    `insert into auth.users (instance_id, id, aud, role, email, encrypted_password, email_confirmed_at,
       raw_app_meta_data, raw_user_meta_data, created_at, updated_at, confirmation_token, recovery_token,
       email_change, email_change_token_new)
     values ('00000000-0000-0000-0000-000000000000', $1, 'authenticated', 'authenticated', $2, $3, now(),
       '{"provider":"email","providers":["email"]}', '{}', now(), now(), '', '', '', '')`,
    [id, email, (await hash(password, 6)).replace('$2b$', '$2a$')],
  )
  const { data, error } = await signIn(email)
  expect(error).toBeNull()
  expect(data.user).toMatchObject({ id, email, identities: [] })
})

test('a seed may leave out nearly everything', async () => {
  const email = newEmail()
  await tenant.sql(
    `insert into auth.users (id, email, encrypted_password, email_confirmed_at, created_at, updated_at, raw_user_meta_data)
     values (gen_random_uuid(), $1, $2, now(), null, null, '[1]')`,
    [email, await hash(password, 4)],
  )
  const { data, error } = await signIn(email)
  expect(error).toBeNull()
  expect(data.user).toMatchObject({ role: 'authenticated', user_metadata: {}, app_metadata: {} })
})

test.each([
  ['is banned', `banned_until = now() + interval '1 hour'`, 'user_banned'],
  ['waits for confirmation', 'email_confirmed_at = null', 'email_not_confirmed'],
  ['has no password', 'encrypted_password = null', 'invalid_credentials'],
  ['has an empty password', `encrypted_password = ''`, 'invalid_credentials'],
  ['has no bcrypt hash', `encrypted_password = 'md5abc'`, 'invalid_credentials'],
  ['is deleted', 'deleted_at = now()', 'invalid_credentials'],
  ['is of single sign-on', 'is_sso_user = true', 'invalid_credentials'],
])('nobody signs in to an account that %s', async (_, change, code) => {
  const email = await account()
  await tenant.sql(`update auth.users set ${change} where email = $1`, [email])
  expect((await signIn(email)).error).toMatchObject({ status: 400, code })
  const wrong = await signIn(email, 'wrong')
  expect(wrong.error).toMatchObject({ status: 400, code: 'invalid_credentials' })
})

test('wrong passwords for one account are counted, whether it exists or not', async () => {
  const passwordFailures = { points: 3, seconds: 60 }
  const rateLimits = { ...noLimits.rateLimits, passwordFailures }
  const guarded = await server.tenant('guarded', { mailerAutoconfirm: true, rateLimits })
  const known = await account(guarded)
  for (const email of [known, newEmail()]) {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect((await signIn(email, 'wrong', guarded)).error?.code).toBe('invalid_credentials')
    }
    const { error } = await signIn(email, password, guarded)
    expect(error).toMatchObject({ status: 429, code: 'over_request_rate_limit' })
  }
  // Another account, and the same one at another tenant, are not affected.
  expect((await signIn(await account(guarded), password, guarded)).error).toBeNull()
})

test('requests of one address are counted per tenant', async () => {
  const token = { points: 2, seconds: 60 }
  const rateLimits = { ...noLimits.rateLimits, token }
  const small = await server.tenant('small', { mailerAutoconfirm: true, rateLimits })
  const alike = await server.tenant('alike', { mailerAutoconfirm: true, rateLimits })
  const statuses: number[] = []
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const body = { email: newEmail(), password }
    const response = await small.call('POST', '/token?grant_type=password', body)
    statuses.push(response.status)
    if (response.status === 429)
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  expect(statuses).toEqual([400, 400, 429])
  expect((await signIn(await account(alike), password, alike)).error).toBeNull()
})
