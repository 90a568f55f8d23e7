import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeIn, refusal } from '../../testing/auth/mfa.ts'
import {
  lastCode,
  newPhone,
  noLimits,
  password,
  startAuthServer,
} from '../../testing/auth/server.ts'
import type { TestServer, TestTenant } from '../../testing/auth/server.ts'

let server: TestServer
/** Numbers must be confirmed with a code. */
let strict: TestTenant
let closed: TestTenant

beforeAll(async () => {
  server = await startAuthServer()
  strict = await server.tenant('strict', { phoneEnabled: true })
  closed = await server.tenant('closed')
})
afterAll(() => server.close())

const phone = '4915112345678'
const expired = [403, 'otp_expired']
const verify = (tenant: TestTenant, to: string, token: string) =>
  tenant.client().auth.verifyOtp({ phone: to, token, type: 'sms' })
const ask = (tenant: TestTenant, to: string) => tenant.client().auth.signInWithOtp({ phone: to })
const usersWith = (tenant: TestTenant, to: string) =>
  tenant.sql('select * from auth.users where phone = $1', [to])

const requests: [string, object][] = [
  ['/signup', { phone, password }],
  ['/token?grant_type=password', { phone, password }],
  ['/otp', { phone }],
  ['/verify', { type: 'sms', phone, token: '123456' }],
  ['/resend', { type: 'sms', phone }],
]
test.each(requests)('%s is refused where numbers are not enabled', async (path, body) => {
  expect(await refusal(await closed.call('POST', path, body))).toEqual([
    400,
    'phone_provider_disabled',
  ])
})

test.each(requests)('%s is refused for what is no number', async (path, body) => {
  for (const wrong of ['abc', '0123456789', '+1', '1'.repeat(16)]) {
    const response = await strict.call('POST', path, { ...body, phone: wrong })
    expect(await refusal(response)).toEqual([400, 'validation_failed'])
  }
})

test.each(requests)('%s is refused for a number and an address at once', async (path, body) => {
  const response = await strict.call('POST', path, { ...body, email: 'a@example.com' })
  expect(await refusal(response)).toEqual([400, 'validation_failed'])
})

test.each([
  ['/signup', { phone }, 400, 'validation_failed'],
  ['/signup', { phone, password: '1' }, 422, 'weak_password'],
  ['/signup', { phone, password, channel: 'pigeon' }, 400, 'validation_failed'],
  ['/otp', { phone, channel: 'pigeon' }, 400, 'validation_failed'],
  ['/otp', { phone, create_user: false }, 422, 'otp_disabled'],
  ['/verify', { type: 'sms', phone }, 400, 'validation_failed'],
  ['/verify', { type: 'sms', token: '123456' }, 400, 'validation_failed'],
  ['/verify', { type: 'sms', token_hash: 'x' }, 400, 'validation_failed'],
  ['/resend', { type: 'sms' }, 400, 'validation_failed'],
  ['/resend', { type: 'phone_change', email: 'a@example.com' }, 400, 'validation_failed'],
])('%s is refused with %j', async (path, body, status, code) => {
  expect(await refusal(await strict.call('POST', path, body))).toEqual([status, code])
  expect(await usersWith(strict, phone)).toEqual([])
})

test('a link has no codes of text messages', async () => {
  const response = await strict.call('GET', '/verify?type=sms&token=123456')
  expect(await refusal(response)).toEqual([400, 'validation_failed'])
})

test('parallel sign-ups of one number make one user', async () => {
  const to = newPhone()
  const body = { phone: to, password }
  await Promise.all([1, 2, 3, 4].map(() => strict.client().auth.signUp(body)))
  expect(await usersWith(strict, to)).toHaveLength(1)
  const other = newPhone()
  await Promise.all([1, 2, 3, 4].map(() => ask(strict, other)))
  expect(await usersWith(strict, other)).toHaveLength(1)
})

test('a code signs in, and makes the account of a new number', async () => {
  const to = newPhone()
  const { data, error } = await ask(strict, `+${to}`)
  expect(error).toBeNull()
  expect(data.messageId).toEqual(expect.any(String))
  const [sms] = strict.texts.slice(-1)
  expect(sms).toMatchObject({ to, channel: 'sms', text: expect.stringMatching(/code is \d{6}$/) })
  expect((await verify(strict, to, lastCode(strict, to))).data.user?.phone).toBe(to)
  const options = { shouldCreateUser: false, channel: 'whatsapp' } as const
  await strict.client().auth.signInWithOtp({ phone: to, options })
  expect(strict.texts.at(-1)).toMatchObject({ to, channel: 'whatsapp' })
  expect((await verify(strict, to, lastCode(strict, to))).error).toBeNull()
  expect(await usersWith(strict, to)).toHaveLength(1)
})

test('a code works once, for its number and its tenant, and not for ever', async () => {
  const tenant = await server.tenant('short', { phoneEnabled: true, smsOtpExpirySeconds: 60 })
  const [to, other] = [newPhone(), newPhone()]
  await ask(tenant, to)
  await ask(strict, other)
  const code = lastCode(tenant, to)
  const wrong = code === '000000' ? '000001' : '000000'
  expect(codeIn(await verify(tenant, to, wrong))).toEqual(expired)
  expect(codeIn(await verify(tenant, newPhone(), code))).toEqual(expired)
  expect(codeIn(await verify(strict, to, code))).toEqual(expired)
  expect((await verify(tenant, to, code)).error).toBeNull()
  expect(codeIn(await verify(tenant, to, code))).toEqual(expired)
  await ask(tenant, to)
  server.advance(61)
  expect(codeIn(await verify(tenant, to, lastCode(tenant, to)))).toEqual(expired)
  expect((await verify(strict, other, lastCode(strict, other))).error).toBeNull()
})

test('of parallel requests with one code only one signs in', async () => {
  const to = newPhone()
  await ask(strict, to)
  const code = lastCode(strict, to)
  const answers = await Promise.all([1, 2, 3, 4].map(() => verify(strict, to, code)))
  expect(answers.filter(({ error }) => error === null)).toHaveLength(1)
})

test('only a hash of a code is stored', async () => {
  const to = newPhone()
  await ask(strict, to)
  const [row] = await strict.sql('select * from auth.one_time_tokens where relates_to = $1', [to])
  expect(row?.['token_hash']).toMatch(/^[0-9a-f]{64}$/)
  expect(JSON.stringify(row)).not.toContain(`"${lastCode(strict, to)}"`)
})

test('guessing codes ends after some attempts', async () => {
  const rateLimits = { ...noLimits.rateLimits, otpFailures: { points: 3, seconds: 60 } }
  const tenant = await server.tenant('guessed', { phoneEnabled: true, rateLimits })
  const to = newPhone()
  await ask(tenant, to)
  const code = lastCode(tenant, to)
  const wrong = code === '000000' ? '000001' : '000000'
  for (let attempt = 0; attempt < 3; attempt += 1) await verify(tenant, to, wrong)
  expect(codeIn(await verify(tenant, to, code))).toEqual([429, 'over_request_rate_limit'])
})

test('a password that was set before the number was proven does not open the account', async () => {
  const to = newPhone()
  await strict.client().auth.signUp({ phone: to, password })
  await ask(strict, to)
  expect((await verify(strict, to, lastCode(strict, to))).error).toBeNull()
  const stranger = await strict.client().auth.signInWithPassword({ phone: to, password })
  expect(codeIn(stranger)).toEqual([400, 'invalid_credentials'])
})

test('nor does it when the code to sign in was sent a second time', async () => {
  const to = newPhone()
  await strict.client().auth.signUp({ phone: to, password })
  await ask(strict, to)
  const before = strict.texts.length
  await strict.client().auth.resend({ type: 'sms', phone: to })
  await expect.poll(() => strict.texts.length).toBe(before + 1)
  expect((await verify(strict, to, lastCode(strict, to))).error).toBeNull()
  const stranger = await strict.client().auth.signInWithPassword({ phone: to, password })
  expect(codeIn(stranger)).toEqual([400, 'invalid_credentials'])
})

test('who is banned or has another number by now does not come in with a code', async () => {
  const [to, moved] = [newPhone(), newPhone()]
  await ask(strict, to)
  await strict.sql(`update auth.users set banned_until = now() + '1 day' where phone = $1`, [to])
  expect(codeIn(await verify(strict, to, lastCode(strict, to)))).toEqual([403, 'user_banned'])
  await ask(strict, moved)
  const code = lastCode(strict, moved)
  await strict.sql('update auth.users set phone = $2 where phone = $1', [moved, newPhone()])
  expect(codeIn(await verify(strict, moved, code))).toEqual(expired)
})

test('the code of a sign-up is sent again to whoever waits for it; nobody learns who does', async () => {
  const [to, done, nobody] = [newPhone(), newPhone(), newPhone()]
  await strict.client().auth.signUp({ phone: to, password })
  await ask(strict, done)
  await verify(strict, done, lastCode(strict, done))
  const before = strict.texts.length
  const answers = [done, nobody, to].map(async (number) => {
    const response = await strict.call('POST', '/resend', { type: 'sms', phone: number })
    return [response.status, await response.json()]
  })
  expect(await Promise.all(answers)).toEqual([1, 2, 3].map(() => [200, {}]))
  await expect.poll(() => strict.texts.length).toBe(before + 1)
  expect((await verify(strict, to, lastCode(strict, to))).error).toBeNull()
  expect((await strict.client().auth.signInWithPassword({ phone: to, password })).error).toBeNull()
  expect(await usersWith(strict, nobody)).toEqual([])
})

test('a number gets one message in an interval, a tenant some in an hour', async () => {
  const tenant = await server.tenant('slow', {
    phoneEnabled: true,
    smsIntervalSeconds: 60,
    rateLimits: { ...noLimits.rateLimits, sms: { points: 2, seconds: 60 } },
    smsTestOtp: { '15550001111': '123456' },
  })
  const [to, other] = [newPhone(), newPhone()]
  expect((await ask(tenant, to)).error).toBeNull()
  const soon = await tenant.call('POST', '/otp', { phone: to })
  expect(Number(soon.headers.get('retry-after'))).toBeGreaterThan(50)
  expect(await soon.json()).toMatchObject({
    error_code: 'over_sms_send_rate_limit',
    msg: expect.stringMatching(/^For security purposes, you can only request this after \d+ sec/),
  })
  const others = [
    await tenant.call('POST', '/signup', { phone: to, password }),
    await tenant.call('POST', '/resend', { type: 'sms', phone: to }),
  ]
  for (const response of others) {
    expect(await refusal(response)).toEqual([429, 'over_sms_send_rate_limit'])
  }
  // Nothing is sent to a test number, so it takes nothing away from the others.
  expect((await ask(tenant, '15550001111')).error).toBeNull()
  expect((await ask(tenant, other)).error).toBeNull()
  expect(codeIn(await ask(tenant, newPhone()))).toEqual([429, 'over_sms_send_rate_limit'])
  expect(tenant.texts).toHaveLength(2)
})

test('requests from one address are counted', async () => {
  const rateLimits = { ...noLimits.rateLimits, otp: { points: 2, seconds: 60 } }
  const tenant = await server.tenant('counted', { phoneEnabled: true, rateLimits })
  await ask(tenant, newPhone())
  await tenant.call('POST', '/resend', { type: 'sms', phone: newPhone() })
  expect(codeIn(await ask(tenant, newPhone()))).toEqual([429, 'over_request_rate_limit'])
})

test('a test number has its own code and gets no message, until test numbers end', async () => {
  const at = server.auth.now().getTime()
  const tenant = await server.tenant('tested', {
    phoneEnabled: true,
    smsTestOtp: { '15550001111': '123456' },
    smsTestOtpValidUntil: new Date(at + 3600_000),
  })
  const to = '15550001111'
  expect((await ask(tenant, to)).data.messageId).toBe('test-otp')
  expect(tenant.texts).toEqual([])
  expect(codeIn(await verify(tenant, to, '654321'))).toEqual(expired)
  expect((await verify(tenant, to, '123456')).data.user?.phone).toBe(to)
  expect(codeIn(await verify(tenant, to, '123456'))).toEqual(expired)
  server.advance(3601)
  await ask(tenant, to)
  expect(tenant.texts).toMatchObject([{ to }])
})

test('length and words of a code are the tenant’s', async () => {
  const tenant = await server.tenant('worded', {
    phoneEnabled: true,
    smsOtpLength: 8,
    smsTemplate: 'Shop: {{ .Code }}',
  })
  const to = newPhone()
  await ask(tenant, to)
  expect(tenant.texts).toMatchObject([{ text: expect.stringMatching(/^Shop: \d{8}$/) }])
  expect((await verify(tenant, to, lastCode(tenant, to))).error).toBeNull()
})
