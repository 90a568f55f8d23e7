import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createSafeFetch } from '#kit/network/safe-fetch'
import { bearer, code, json, victim } from '../../testing/auth/attack.ts'
import type { Session } from '../../testing/auth/attack.ts'
import { startHookServer, type HookServer } from '../../testing/auth/hook.ts'
import { newEmail, newPhone, password, startAuthServer } from '../../testing/auth/server.ts'
import type { TestServer, TestTenant } from '../../testing/auth/server.ts'

let server: TestServer
let tenant: TestTenant
let hooks: HookServer

beforeAll(async () => {
  server = await startAuthServer({ fetch: createSafeFetch({ allowLoopback: true }) })
  tenant = await server.tenant('main', { phoneEnabled: true })
  hooks = await startHookServer()
  tenant.config.hooks = { SEND_EMAIL: hooks.hook, SEND_SMS: hooks.hook }
})
afterAll(async () => {
  await server.close()
  await hooks.close()
})
afterEach(() => {
  hooks.answer = () => ({ body: {} })
  hooks.asked.length = 0
  server.logged.length = 0
})

const refuse = () => ({ body: { error: { http_code: 429, message: 'Too many mails' } } })
const verify = (body: object) => tenant.call('POST', '/verify', body)
const last = () => {
  const request = hooks.asked.at(-1)
  if (!request) throw new Error('nobody asked')
  return request.body
}

test('a mail that a hook refuses to send is refused to the one who waits for it', async () => {
  hooks.answer = refuse
  const email = newEmail()
  expect(await code(await tenant.call('POST', '/signup', { email, password }))).toEqual([
    429,
    'hook_rejected',
  ])
  expect(await code(await tenant.call('POST', '/otp', { email: newEmail() }))).toEqual([
    429,
    'hook_rejected',
  ])
  const invited = await tenant.call(
    'POST',
    '/invite',
    { email: newEmail() },
    bearer(tenant.serviceKey),
  )
  expect(await code(invited)).toEqual([429, 'hook_rejected'])
})

test('where only people with an account get a mail, neither answer nor time tells of the hook', async () => {
  const email = newEmail()
  await tenant.call('POST', '/signup', { email, password })
  // One that never answers.
  hooks.answer = () => undefined
  for (const address of [email, newEmail()]) {
    const began = performance.now()
    const recover = await tenant.call('POST', '/recover', { email: address })
    const resend = await tenant.call('POST', '/resend', { email: address, type: 'signup' })
    expect([recover.status, resend.status]).toEqual([200, 200])
    // Who waits for the hook waits for five seconds, and twice.
    expect(performance.now() - began).toBeLessThan(5_000)
  }
  expect(hooks.asked.map(({ body }) => body.email_data['email_action_type'])).toEqual([
    'signup',
    'recovery',
    'signup',
  ])
})

test('the hook gets what a mail has to hold, and no mail leaves', async () => {
  const email = newEmail()
  const asked = await tenant.call('POST', '/signup?redirect_to=http://localhost:3000/next', {
    email,
    password,
  })
  expect(asked.status).toBe(200)
  const { email_data: data, user, metadata } = last()
  expect(metadata).toMatchObject({ name: 'send-email' })
  expect(user).toMatchObject({ email, identities: [{ provider: 'email' }] })
  expect(data).toEqual({
    token: expect.stringMatching(/^\d{6}$/),
    token_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    token_new: '',
    token_hash_new: '',
    redirect_to: 'http://localhost:3000/next',
    email_action_type: 'signup',
    site_url: tenant.externalUrl,
  })
  expect(tenant.mails).toEqual([])
  const session = await verify({ type: 'signup', token_hash: data['token_hash'] })
  expect((await json<Session>(session)).user.email).toBe(email)
})

test('a change of address that both confirm is one call with two codes, each for its address', async () => {
  const [email, next] = [newEmail(), newEmail()]
  await tenant.call('POST', '/signup', { email, password })
  const signedUp = await verify({ type: 'signup', token_hash: last().email_data['token_hash'] })
  const { access_token: token } = await json<Session>(signedUp)
  hooks.asked.length = 0
  expect((await tenant.call('PUT', '/user', { email: next }, bearer(token))).status).toBe(200)
  expect(hooks.asked).toHaveLength(1)
  const { email_data: data, user } = last()
  expect(user).toMatchObject({ email, new_email: next })
  expect(data['email_action_type']).toBe('email_change')
  const half = await verify({ type: 'email_change', token: data['token'], email })
  expect(await half.json()).toMatchObject({ msg: expect.stringContaining('other email') })
  const whole = await verify({ type: 'email_change', token: data['token_new'], email: next })
  expect((await json<Session>(whole)).user.email).toBe(next)
  expect(data['token_hash']).not.toBe(data['token_hash_new'])
})

test('a text message goes to the hook, without any other service', async () => {
  const phone = newPhone()
  hooks.answer = refuse
  expect(await code(await tenant.call('POST', '/otp', { phone }))).toEqual([429, 'hook_rejected'])
  hooks.answer = () => ({ status: 204 })
  const sent = await tenant.call('POST', '/otp', { phone, channel: 'whatsapp' })
  expect(await sent.json()).toEqual({ message_id: expect.any(String) })
  const { sms, user } = last()
  expect(sms).toEqual({ otp: expect.stringMatching(/^\d{6}$/), phone, sms_type: 'verification' })
  expect(user).toMatchObject({ phone })
  expect(tenant.texts).toEqual([])
  const session = await verify({ type: 'sms', phone, token: sms['otp'] })
  expect(session.status).toBe(200)
})

test('without a hook mails and messages leave as ever', async () => {
  const plain = await server.tenant('plain', { mailerAutoconfirm: true, phoneEnabled: true })
  const { user } = await victim(plain)
  await plain.call('POST', '/recover', { email: user.email })
  await plain.call('POST', '/otp', { phone: newPhone() })
  expect(plain.mails).toMatchObject([{ to: user.email, kind: 'recovery' }])
  expect(Object.keys(plain.mails[0] ?? {})).not.toContain('user')
  expect(Object.keys(plain.texts[0] ?? {})).toEqual(['to', 'channel', 'text', 'otp'])
  expect(hooks.asked).toEqual([])
})
