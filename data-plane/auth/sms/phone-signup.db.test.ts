import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeIn } from '../../testing/auth/mfa.ts'
import {
  lastCode,
  newEmail,
  newPhone,
  password,
  startAuthServer,
} from '../../testing/auth/server.ts'
import type { TestServer, TestTenant } from '../../testing/auth/server.ts'

let server: TestServer
/** Numbers must be confirmed with a code. */
let strict: TestTenant

beforeAll(async () => {
  server = await startAuthServer()
  strict = await server.tenant('strict', { phoneEnabled: true })
})
afterAll(() => server.close())

const verify = (tenant: TestTenant, to: string, token: string) =>
  tenant.client().auth.verifyOtp({ phone: to, token, type: 'sms' })
const ask = (tenant: TestTenant, to: string) => tenant.client().auth.signInWithOtp({ phone: to })
const usersWith = (tenant: TestTenant, to: string) =>
  tenant.sql('select * from auth.users where phone = $1', [to])

test('nobody signs up or in as a new user where sign-ups are off', async () => {
  const phone = newPhone()
  const tenant = await server.tenant('nosignup', { phoneEnabled: true, disableSignup: true })
  expect(codeIn(await tenant.client().auth.signUp({ phone, password }))).toEqual([
    422,
    'signup_disabled',
  ])
  expect(codeIn(await ask(tenant, phone))).toEqual([422, 'otp_disabled'])
  expect(await usersWith(tenant, phone)).toEqual([])
})

test('a sign-up waits for the code; the number is kept as digits', async () => {
  const to = newPhone()
  const client = strict.client()
  const written = `+${to.slice(0, 2)} (${to.slice(2, 5)}) ${to.slice(5)}`
  const options = { data: { name: 'Ada' } }
  const { data, error } = await client.auth.signUp({ phone: written, password, options })
  expect(error).toBeNull()
  expect(data.session).toBeNull()
  expect(data.user).toMatchObject({
    phone: to,
    email: '',
    app_metadata: { provider: 'phone', providers: ['phone'] },
    user_metadata: { name: 'Ada' },
    identities: [{ provider: 'phone', identity_data: { phone: to, phone_verified: false } }],
    confirmation_sent_at: expect.any(String),
  })
  const signIn = (given: string) =>
    strict.client().auth.signInWithPassword({ phone: `+${to}`, password: given })
  expect(codeIn(await signIn('wrong'))).toEqual([400, 'invalid_credentials'])
  expect(codeIn(await signIn(password))).toEqual([400, 'phone_not_confirmed'])

  const verified = await client.auth.verifyOtp({
    phone: `+${to}`,
    token: lastCode(strict, to),
    type: 'sms',
  })
  expect(verified.data.user).toMatchObject({
    phone: to,
    phone_confirmed_at: expect.any(String),
    identities: [{ provider: 'phone', identity_data: { phone_verified: true } }],
  })
  expect((await client.auth.getUser()).data.user?.phone).toBe(to)
  const again = await signIn(password)
  expect(again.data.user?.phone).toBe(to)
  const claims = Buffer.from(again.data.session?.access_token.split('.')[1] ?? '', 'base64url')
  expect(JSON.parse(claims.toString())).toMatchObject({ phone: to, email: '' })
})

test('the last sign-up of a number that nobody confirmed counts', async () => {
  const to = newPhone()
  await strict.client().auth.signUp({ phone: to, password })
  const older = lastCode(strict, to)
  await strict.client().auth.signUp({ phone: to, password: 'another horse 2' })
  const newer = lastCode(strict, to)
  if (older !== newer) expect(codeIn(await verify(strict, to, older))).toEqual([403, 'otp_expired'])
  expect((await verify(strict, to, newer)).error).toBeNull()
  const signIn = (given: string) =>
    strict.client().auth.signInWithPassword({ phone: to, password: given })
  expect(codeIn(await signIn(password))).toEqual([400, 'invalid_credentials'])
  expect((await signIn('another horse 2')).error).toBeNull()
})

test('a sign-up of a number that is taken changes nothing, and gets no message', async () => {
  const to = newPhone()
  await strict.client().auth.signUp({ phone: to, password })
  await verify(strict, to, lastCode(strict, to))
  const before = strict.texts.length
  const body = { phone: to, password: 'another horse 2', options: { data: { name: 'Eve' } } }
  const { data, error } = await strict.client().auth.signUp(body)
  expect(error).toBeNull()
  const [real] = await usersWith(strict, to)
  expect(data.user).toMatchObject({ phone: to, identities: [], user_metadata: { name: 'Eve' } })
  expect(data.user?.id).not.toBe(real?.['id'])
  expect(real?.['raw_user_meta_data']).toEqual({})
  expect(strict.texts).toHaveLength(before)
  expect((await strict.client().auth.signInWithPassword({ phone: to, password })).error).toBeNull()
})

test('an unconfirmed account that has an address too cannot be taken over by its number', async () => {
  const to = newPhone()
  await strict.sql(`insert into auth.users (id, email, phone) values (gen_random_uuid(), $1, $2)`, [
    `${to}@example.com`,
    to,
  ])
  const { data } = await strict.client().auth.signUp({ phone: to, password })
  expect(data.user?.identities).toEqual([])
  expect(await usersWith(strict, to)).toMatchObject([{ encrypted_password: null }])
})

test('where numbers count as confirmed, a sign-up signs in at once', async () => {
  const tenant = await server.tenant('auto', { phoneEnabled: true, smsAutoconfirm: true })
  const to = newPhone()
  const { data } = await tenant.client().auth.signUp({ phone: to, password })
  expect(data.session?.user).toMatchObject({ phone: to, phone_confirmed_at: expect.any(String) })
  expect(data.user?.identities?.[0]?.identity_data).toMatchObject({ phone_verified: false })
  expect(tenant.texts).toEqual([])
  expect(codeIn(await tenant.client().auth.signUp({ phone: to, password }))).toEqual([
    422,
    'user_already_exists',
  ])
  const settings = await tenant.call('GET', '/settings')
  expect(await settings.json()).toMatchObject({
    external: { phone: true },
    phone_autoconfirm: true,
    sms_provider: '',
  })
})

test.each([true, false])(
  'a sign-up by email gives no other password to an account with a number, confirmed %s',
  async (confirmed) => {
    const [to, email] = [newPhone(), newEmail()]
    for (const tenant of [
      strict,
      await server.tenant(`open${to}`, { phoneEnabled: true, mailerAutoconfirm: true }),
    ]) {
      const { admin } = tenant.client(tenant.serviceKey).auth
      const made = await admin.createUser({ phone: to, email, password, phone_confirm: confirmed })
      expect(made.error).toBeNull()
      const stranger = { email, password: 'chosen by a stranger' }
      const { data } = await tenant.client().auth.signUp(stranger)
      expect(data.session).toBeNull()
      // The number is confirmed by its owner at the latest now.
      await admin.updateUserById(made.data.user?.id ?? '', { phone_confirm: true })
      const signIn = (given: string) =>
        tenant.client().auth.signInWithPassword({ phone: to, password: given })
      expect(codeIn(await signIn(stranger.password))).toEqual([400, 'invalid_credentials'])
      expect((await signIn(password)).error).toBeNull()
    }
  },
)
