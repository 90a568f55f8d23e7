import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeIn, refusal, tokenOf } from '../../testing/auth/mfa.ts'
import {
  lastCode,
  lastMail,
  newEmail,
  newPhone,
  password,
  startAuthServer,
} from '../../testing/auth/server.ts'
import type { TestServer, TestTenant } from '../../testing/auth/server.ts'

let server: TestServer
let tenant: TestTenant
/** Numbers count as confirmed at once. */
let auto: TestTenant

beforeAll(async () => {
  server = await startAuthServer()
  const config = {
    phoneEnabled: true,
    mailerAutoconfirm: true,
    emailChangeAutoconfirm: false,
    anonymousEnabled: true,
  }
  tenant = await server.tenant('main', { ...config, manualLinking: true })
  auto = await server.tenant('auto', { ...config, smsAutoconfirm: true })
})
afterAll(() => server.close())

const expired = [403, 'otp_expired']
const exists = [422, 'phone_exists']
async function member(of: TestTenant = tenant) {
  const client = of.client()
  const { error } = await client.auth.signUp({ email: newEmail(), password })
  expect(error).toBeNull()
  return client
}
async function owner(of: TestTenant, phone: string) {
  await of.sql('insert into auth.users (id, phone) values (gen_random_uuid(), $1)', [phone])
}
const confirm = (phone: string, token: string) =>
  tenant.client().auth.verifyOtp({ phone, token, type: 'phone_change' })
const admin = () => tenant.client(tenant.serviceKey).auth.admin

test.each([
  ['what is no number', { phone: '0123' }, 400, 'validation_failed'],
  ['an unknown channel', { phone: '4915112345678', channel: 'x' }, 400, 'validation_failed'],
  ['a taken number', { phone: '4915199999999' }, 422, 'phone_exists'],
])('a change is refused for %s', async (_, body, status, code) => {
  await tenant.sql(
    `insert into auth.users (id, phone) values (gen_random_uuid(), '4915199999999') on conflict do nothing`,
  )
  const headers = { authorization: `Bearer ${await tokenOf(await member())}` }
  expect(await refusal(await tenant.call('PUT', '/user', body, headers))).toEqual([status, code])
})

test('a user of single sign-on has the number that their organization says', async () => {
  const client = await member()
  const { data } = await client.auth.getUser()
  await tenant.sql('update auth.users set is_sso_user = true where id = $1', [data.user?.id])
  expect(codeIn(await client.auth.updateUser({ phone: newPhone() }))).toEqual([
    422,
    'user_sso_managed',
  ])
})

test('a new number waits for the code that was sent to it', async () => {
  const client = await member()
  const phone = newPhone()
  const { data } = await client.auth.updateUser({ phone: `+${phone}` })
  expect(data.user).toMatchObject({
    phone: '',
    new_phone: phone,
    phone_change_sent_at: expect.any(String),
  })
  const code = lastCode(tenant, phone)
  expect(codeIn(await confirm(phone, code === '000000' ? '000001' : '000000'))).toEqual(expired)
  const asSignIn = await tenant.client().auth.verifyOtp({ phone, token: code, type: 'sms' })
  expect(codeIn(asSignIn)).toEqual(expired)
  const verified = await confirm(phone, code)
  expect(verified.data.session?.user).toMatchObject({
    id: data.user?.id,
    phone,
    phone_confirmed_at: expect.any(String),
    app_metadata: { provider: 'email', providers: ['email', 'phone'] },
  })
  const identities = verified.data.user?.identities?.map(({ provider }) => provider).toSorted()
  expect(identities).toEqual(['email', 'phone'])
  expect(verified.data.user?.new_phone).toBeUndefined()
  expect(codeIn(await confirm(phone, code))).toEqual(expired)
  const bySms = await tenant.client().auth.signInWithPassword({ phone, password })
  expect(bySms.data.user?.id).toBe(data.user?.id)
  const same = await client.auth.updateUser({ phone })
  expect(same.data.user?.new_phone).toBeUndefined()
})

test('a number that somebody else took meanwhile stays theirs', async () => {
  const client = await member()
  const phone = newPhone()
  await client.auth.updateUser({ phone })
  await owner(tenant, phone)
  expect(codeIn(await confirm(phone, lastCode(tenant, phone)))).toEqual(exists)
  expect((await client.auth.getUser()).data.user?.phone).toBe('')
})

test('a later change takes the code of an earlier one away, and so does a new password', async () => {
  const client = await member()
  const [first, second] = [newPhone(), newPhone()]
  await client.auth.updateUser({ phone: first })
  await client.auth.updateUser({ phone: second })
  expect(codeIn(await confirm(first, lastCode(tenant, first)))).toEqual(expired)
  await client.auth.updateUser({ password: 'another horse 2' })
  expect(codeIn(await confirm(second, lastCode(tenant, second)))).toEqual(expired)
})

test('the code is sent again to the number that waits for it, and to no other', async () => {
  const client = await member()
  const phone = newPhone()
  await client.auth.updateUser({ phone })
  const before = tenant.texts.length
  const resend = (to: string) => tenant.client().auth.resend({ type: 'phone_change', phone: to })
  for (const to of [newPhone(), phone]) expect((await resend(to)).error).toBeNull()
  await expect.poll(() => tenant.texts.length).toBe(before + 1)
  expect((await confirm(phone, lastCode(tenant, phone))).data.user?.phone).toBe(phone)
})

test('address and number change together', async () => {
  for (const of of [tenant, auto]) {
    const client = await member(of)
    const [email, phone] = [newEmail(), newPhone()]
    const { data } = await client.auth.updateUser({ email, phone })
    expect(data.user?.new_email).toBe(email)
    const [row] = await of.sql(
      `select count(*)::int as open from auth.one_time_tokens where user_id = $1`,
      [data.user?.id],
    )
    expect(row?.['open']).toBe(of === tenant ? 3 : 2)
  }
})

test('where numbers count as confirmed a change is done at once', async () => {
  const client = await member(auto)
  const phone = newPhone()
  const { data } = await client.auth.updateUser({ phone })
  expect(data.user).toMatchObject({ phone, phone_confirmed_at: expect.any(String) })
  expect(auto.texts).toEqual([])
  const other = await member(auto)
  expect(codeIn(await other.auth.updateUser({ phone }))).toEqual(exists)
})

test('a number makes an anonymous user permanent, who can then have a password', async () => {
  const client = tenant.client()
  await client.auth.signInAnonymously()
  expect(codeIn(await client.auth.updateUser({ password }))[0]).toBe(422)
  const phone = newPhone()
  await client.auth.updateUser({ phone })
  const { data } = await confirm(phone, lastCode(tenant, phone))
  expect(data.user).toMatchObject({
    is_anonymous: false,
    app_metadata: { provider: 'phone', providers: ['phone'] },
  })
})

test('who takes the number off their account does not sign in with it any more', async () => {
  const client = await member()
  const phone = newPhone()
  await client.auth.updateUser({ phone })
  await confirm(phone, lastCode(tenant, phone))
  const { data } = await client.auth.getUserIdentities()
  const own = data?.identities.find(({ provider }) => provider === 'phone')
  expect(own && (await client.auth.unlinkIdentity(own)).error).toBeNull()
  expect((await client.auth.getUser()).data.user).toMatchObject({ phone: '' })
  const bySms = await tenant.client().auth.signInWithPassword({ phone, password })
  expect(codeIn(bySms)).toEqual([400, 'invalid_credentials'])
})

test('who signed up with a number can have an address too', async () => {
  const { data } = await auto.client().auth.signUp({ phone: newPhone(), password })
  const email = newEmail()
  const headers = { authorization: `Bearer ${data.session?.access_token}` }
  await auto.call('PUT', '/user', { email }, headers)
  const token = lastMail(auto, email).otp
  const verified = await auto.client().auth.verifyOtp({ email, token, type: 'email_change' })
  expect(verified.data.user).toMatchObject({
    email,
    app_metadata: { provider: 'phone', providers: ['phone', 'email'] },
  })
})

test('who has a number alone proves with it again who they are, to change a password', async () => {
  const config = { phoneEnabled: true, smsAutoconfirm: true, securePasswordChange: true }
  const later = await startAuthServer()
  const careful = await later.tenant('careful', config)
  const client = careful.client()
  const phone = newPhone()
  await client.auth.signUp({ phone, password })
  later.advance(25 * 3600)
  await client.auth.refreshSession()
  const change = (nonce?: string) =>
    client.auth.updateUser({ password: 'another horse 2', ...(nonce && { nonce }) })
  expect(codeIn(await change())).toEqual([400, 'reauthentication_needed'])
  expect((await client.auth.reauthenticate()).error).toBeNull()
  const nonce = lastCode(careful, phone)
  const asSignIn = await careful.client().auth.verifyOtp({ phone, token: nonce, type: 'sms' })
  expect(codeIn(asSignIn)).toEqual(expired)
  const wrong = nonce === '000000' ? '000001' : '000000'
  expect(codeIn(await change(wrong))).toEqual([422, 'reauthentication_not_valid'])
  expect((await change(nonce)).error).toBeNull()
  await careful.sql('update auth.users set phone_confirmed_at = null where phone = $1', [phone])
  expect(codeIn(await client.auth.reauthenticate())).toEqual([422, 'phone_not_confirmed'])
  await later.close()
})

test('an administrator gives users their numbers', async () => {
  const [phone, next] = [newPhone(), newPhone()]
  const created = await admin().createUser({ phone: `+${phone}`, password, phone_confirm: true })
  expect(created.data.user).toMatchObject({
    phone,
    phone_confirmed_at: expect.any(String),
    app_metadata: { provider: 'phone', providers: ['phone'] },
    identities: [{ provider: 'phone', identity_data: { phone, phone_verified: true } }],
  })
  const client = tenant.client()
  expect((await client.auth.signInWithPassword({ phone, password })).error).toBeNull()
  expect(codeIn(await admin().createUser({ phone }))).toEqual(exists)

  const coming = newPhone()
  await client.auth.updateUser({ phone: coming })
  const id = created.data.user?.id ?? ''
  const updated = await admin().updateUserById(id, { phone: next })
  expect(updated.data.user).toMatchObject({
    phone: next,
    identities: [{ provider: 'phone', identity_data: { phone: next } }],
  })
  expect(updated.data.user?.new_phone).toBeUndefined()
  expect(codeIn(await confirm(coming, lastCode(tenant, coming)))).toEqual(expired)
  await owner(tenant, coming)
  expect(codeIn(await admin().updateUserById(id, { phone: coming }))).toEqual(exists)
})

test('a number that an administrator did not confirm does not sign in by password', async () => {
  const phone = newPhone()
  const { data } = await admin().createUser({ phone, password })
  const signIn = () => tenant.client().auth.signInWithPassword({ phone, password })
  expect(codeIn(await signIn())).toEqual([400, 'phone_not_confirmed'])
  await admin().updateUserById(data.user?.id ?? '', { phone_confirm: true })
  expect((await signIn()).error).toBeNull()
})
