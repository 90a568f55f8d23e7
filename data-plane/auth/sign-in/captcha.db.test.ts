import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createSafeFetch } from '#kit/network/safe-fetch'
import { bearer, json, refresh, victim } from '../../testing/auth/attack.ts'
import { startSmsService, type TestSmsService } from '../../testing/auth/sms.ts'
import { newEmail, password, startAuthServer } from '../../testing/auth/server.ts'
import type { TestServer, TestTenant } from '../../testing/auth/server.ts'

let server: TestServer
let tenant: TestTenant
/** Plays the captcha's service: it is asked by a form and answers as the test says. */
let service: TestSmsService

beforeAll(async () => {
  const fetch = createSafeFetch({ allowLoopback: true, timeoutMs: 1_000 })
  server = await startAuthServer({ fetch })
  tenant = await server.tenant('main', {
    mailerAutoconfirm: true,
    anonymousEnabled: true,
    ssoEnabled: true,
  })
  service = await startSmsService()
  tenant.config.captcha = { kind: 'hcaptcha', secret: 'our secret', url: service.url }
})
afterAll(async () => {
  await server.close()
  await service.close()
})
afterEach(() => {
  service.asked.length = 0
  service.answers.length = 0
  server.logged.length = 0
})

const withToken = (body: object, token: unknown = 'solved') => ({
  ...body,
  gotrue_meta_security: { captcha_token: token },
})
const answers = (...each: unknown[]) => {
  for (const body of each) service.answers.push({ status: 200, body })
}
const refusal = async (answer: Response) => {
  const { error_code: code, msg } = await json<{ error_code: string; msg: string }>(answer)
  return { status: answer.status, code, msg }
}
const prefix = 'captcha protection: '
const guarded: [string, object][] = [
  ['/signup', { email: 'ada@example.com', password }],
  ['/signup', {}],
  ['/token?grant_type=password', { email: 'ada@example.com', password }],
  ['/token?grant_type=web3', { chain: 'solana' }],
  ['/otp', { email: 'ada@example.com' }],
  ['/magiclink', { email: 'ada@example.com' }],
  ['/recover', { email: 'ada@example.com' }],
  ['/resend', { email: 'ada@example.com', type: 'signup' }],
  ['/sso', { domain: 'example.com' }],
]

test.each(guarded)('%s asks for a token before anything else', async (path, body) => {
  const msg = `${prefix}request disallowed (no captcha_token found in request)`
  const bodies = [
    body,
    withToken(body, ''),
    withToken(body, null),
    { ...body, gotrue_meta_security: 'solved' },
  ]
  for (const sent of bodies) {
    const answer = await tenant.call('POST', path, sent, bearer(tenant.anonKey))
    expect(await refusal(answer)).toEqual({ status: 400, code: 'captcha_failed', msg })
  }
  expect(service.asked).toEqual([])
})

test.each([
  [
    'a forged token',
    { success: false, 'error-codes': ['invalid-input-response'] },
    'request disallowed (invalid-input-response)',
  ],
  [
    'a token from before',
    { success: false, 'error-codes': ['timeout-or-duplicate'] },
    'request disallowed (timeout-or-duplicate)',
  ],
  [
    'words that are none of theirs',
    { success: false, 'error-codes': ['<b>', 7] },
    'request disallowed (captcha was not solved)',
  ],
  ['a success in another form', { success: 'true' }, 'request disallowed (captcha was not solved)'],
  ['nothing', null, 'request disallowed (captcha was not solved)'],
])('%s is refused', async (_, body, why) => {
  answers(body)
  const email = newEmail()
  const answer = await tenant.call('POST', '/signup', withToken({ email, password }))
  expect(await refusal(answer)).toEqual({ status: 400, code: 'captcha_failed', msg: prefix + why })
  expect(await tenant.sql('select 1 from auth.users where email = $1', [email])).toEqual([])
})

test.each([
  ['fails', { status: 500, body: {} }],
  ['answers something else', { status: 200, body: undefined }],
  ['does not answer', undefined],
])('while the service %s nobody passes, and the secret is in no log', async (_, answer) => {
  if (answer) service.answers.push(answer)
  const refused = await tenant.call('POST', '/otp', withToken({ email: newEmail() }))
  expect(await refusal(refused)).toEqual({
    status: 400,
    code: 'captcha_failed',
    msg: `${prefix}the captcha service does not answer, try again shortly`,
  })
  expect(server.logged).toHaveLength(1)
  expect(server.logged.join()).not.toContain('our secret')
})

test('who solved it signs up with the client library, and the service learns what it needs', async () => {
  answers({ success: true })
  const { data, error } = await tenant.client().auth.signUp({
    email: newEmail(),
    password,
    options: { captchaToken: 'solved by hand' },
  })
  expect(error).toBeNull()
  expect(data.session).not.toBeNull()
  expect(service.asked.map(({ form }) => form)).toEqual([
    { secret: 'our secret', response: 'solved by hand', remoteip: '127.0.0.1' },
  ])
})

test('who has a session, a code of a flow or the service key is not asked', async () => {
  answers({ success: true }, { success: true })
  const email = newEmail()
  const made = await tenant.call('POST', '/signup', withToken({ email, password }))
  const session = await json<{ access_token: string; refresh_token: string }>(made)
  expect((await refresh(tenant, session.refresh_token)).status).toBe(200)
  const code = { auth_code: 'none', code_verifier: 'none' }
  const pkce = await tenant.call('POST', '/token?grant_type=pkce', code)
  expect((await refusal(pkce)).code).toBe('flow_state_not_found')
  const data = { data: { name: 'Ada' } }
  expect((await tenant.call('PUT', '/user', data, bearer(session.access_token))).status).toBe(200)
  for (const headers of [bearer(tenant.serviceKey), { apikey: tenant.serviceKey }]) {
    expect((await tenant.call('POST', '/recover', { email }, headers)).status).toBe(200)
  }
  // A user's token is no service key.
  const asUser = await tenant.call('POST', '/recover', { email }, bearer(session.access_token))
  expect((await refusal(asUser)).code).toBe('captcha_failed')
  expect(service.asked).toHaveLength(1)
})

test('without a captcha nobody is asked', async () => {
  const open = await server.tenant('open', { mailerAutoconfirm: true })
  await victim(open)
  expect(service.asked).toEqual([])
})
