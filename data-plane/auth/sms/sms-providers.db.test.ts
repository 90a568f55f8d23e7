import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createSafeFetch } from '#kit/network/safe-fetch'
import { codeIn, refusal } from '../../testing/auth/mfa.ts'
import type { SmsProvider } from './sms-providers.ts'
import { services, startSmsService, type TestSmsService } from '../../testing/auth/sms.ts'
import { newPhone, password, startAuthServer } from '../../testing/auth/server.ts'
import type { TestServer, TestTenant } from '../../testing/auth/server.ts'

let server: TestServer
/** Stands for the services on the internet. */
let service: TestSmsService
const tenants = new Map<string, TestTenant>()

beforeAll(async () => {
  service = await startSmsService()
  server = await startAuthServer({
    fetch: createSafeFetch({ allowLoopback: true, timeoutMs: 2000 }),
  })
  for (const { provider } of services) {
    const smsProvider = { ...provider, url: `${service.url}/` }
    tenants.set(
      provider.kind,
      await server.tenant(provider.kind, { phoneEnabled: true, smsProvider }),
    )
  }
})
afterAll(async () => {
  await server.close()
  await service.close()
})
beforeEach(() => {
  service.asked = []
  service.answers = []
})

function tenantOf(kind: SmsProvider['kind']): TestTenant {
  const tenant = tenants.get(kind)
  if (!tenant) throw new Error(`No tenant ${kind}`)
  return tenant
}
const ask = (kind: SmsProvider['kind'], phone: string) =>
  tenantOf(kind).client().auth.signInWithOtp({ phone })
const failed = [422, 'sms_send_failed']
const cases = services.map((one) => [one.provider.kind, one] as const)

test.each(cases)('what %s refuses is not sent, and its words stay here', async (kind, one) => {
  for (const answered of one.refusals) {
    service.answers = [answered]
    const answer = await ask(kind, newPhone())
    expect(codeIn(answer)).toEqual(failed)
    expect(answer.error?.message).toBe('The text message with the code could not be sent')
  }
  service.answers = [one.refusals[0] ?? { status: 500, body: {} }]
  const signup = await tenantOf(kind).client().auth.signUp({ phone: newPhone(), password })
  expect(codeIn(signup)).toEqual(failed)
})

test.each(cases)('%s is asked to send a message', async (kind, one) => {
  const phone = newPhone()
  service.answers = [{ status: 201, body: one.taken }]
  const { data, error } = await ask(kind, phone)
  expect(error).toBeNull()
  expect(data.messageId).toBe(one.id)
  expect(service.asked).toEqual([
    {
      path: one.path,
      authorization: one.authorization,
      type: 'application/x-www-form-urlencoded',
      form: one.form(phone),
    },
  ])
  const settings = await tenantOf(kind).call('GET', '/settings')
  expect(await settings.json()).toMatchObject({ sms_provider: kind })
})

test.each(['messagebird', 'vonage', 'textlocal'] as const)('%s knows no WhatsApp', async (kind) => {
  const options = { channel: 'whatsapp' } as const
  const answer = await tenantOf(kind).client().auth.signInWithOtp({ phone: newPhone(), options })
  expect(codeIn(answer)).toEqual([400, 'validation_failed'])
  expect(service.asked).toEqual([])
})

test('WhatsApp goes by a template of the tenant, from a number or a service', async () => {
  const phone = newPhone()
  const smsProvider: SmsProvider = {
    kind: 'twilio',
    accountSid: 'AC1',
    authToken: 'secret',
    messageServiceSid: '15550001111',
    contentSid: 'HX1',
    url: service.url,
  }
  const tenant = await server.tenant('whatsapp', { phoneEnabled: true, smsProvider })
  service.answers = [1, 2].map(() => ({ status: 201, body: { sid: 'SM2' } }))
  const options = { channel: 'whatsapp' } as const
  expect((await tenant.client().auth.signInWithOtp({ phone, options })).error).toBeNull()
  expect(service.asked[0]?.form).toEqual({
    To: `whatsapp:+${phone}`,
    From: 'whatsapp:+15550001111',
    ContentSid: 'HX1',
    ContentVariables: expect.stringMatching(/^\{"1":"\d{6}"\}$/),
  })
  await tenant.client().auth.signInWithOtp({ phone })
  expect(service.asked[1]?.form).toMatchObject({ To: `+${phone}`, From: '+15550001111' })
})

test('letters outside of ASCII reach Vonage as what they are', async () => {
  const provider = services.find((one) => one.provider.kind === 'vonage')?.provider
  const tenant = await server.tenant('unicode', {
    phoneEnabled: true,
    smsProvider: provider && { ...provider, url: service.url },
    smsTemplate: 'Schlüssel: {{ .Code }}',
  })
  service.answers = [{ status: 200, body: { messages: [{ status: '0', 'message-id': 'vo2' }] } }]
  await tenant.client().auth.signInWithOtp({ phone: newPhone() })
  expect(service.asked[0]?.form).toMatchObject({
    type: 'unicode',
    text: expect.stringMatching(/^Schlüssel: \d{6}$/),
  })
})

test('the code that arrives signs in', async () => {
  const phone = newPhone()
  service.answers = [{ status: 201, body: { sid: 'SM3' } }]
  await ask('twilio', phone)
  const token = /\d{6}$/.exec(service.asked[0]?.form['Body'] ?? '')?.[0] ?? ''
  const { data } = await tenantOf('twilio').client().auth.verifyOtp({ phone, token, type: 'sms' })
  expect(data.user?.phone).toBe(phone)
})

test('a service that does not answer is given up, and one inside our network is not asked', async () => {
  expect(codeIn(await ask('twilio', newPhone()))).toEqual(failed)
  const smsProvider = { kind: 'textlocal', apiKey: 'k', sender: 's' } as const
  for (const [ref, inner] of ['https://10.0.0.1', 'http://169.254.169.254'].entries()) {
    const config = { phoneEnabled: true, smsProvider: { ...smsProvider, url: inner } }
    const tenant = await server.tenant(`inner${ref}`, config)
    expect(codeIn(await tenant.client().auth.signInWithOtp({ phone: newPhone() }))).toEqual(failed)
  }
})

test('without a service and an outbox nothing is sent; neither codes nor numbers are logged', async () => {
  const tenant = await server.tenant('without', { phoneEnabled: true })
  delete tenant.keepSms
  const phone = newPhone()
  expect(codeIn(await tenant.client().auth.signInWithOtp({ phone }))).toEqual(failed)
  service.answers = [
    { status: 400, body: { code: 21211, message: `Invalid 'To' Phone Number: +${phone}` } },
  ]
  await ask('twilio', phone)
  const lines = server.logged.join('\n')
  expect(lines).toContain('code 21211')
  expect(lines).not.toContain(phone)
  expect(lines).not.toContain('Invalid')
})

test('Twilio Verify checks the codes that it makes', async () => {
  const phone = newPhone()
  const client = tenantOf('twilio_verify').client()
  const verify = (token: string) => client.auth.verifyOtp({ phone, token, type: 'sms' })
  expect(codeIn(await verify('111111'))).toEqual([403, 'otp_expired'])
  // Nobody asked for a code, so neither is anybody asked about one.
  expect(service.asked).toEqual([])
  service.answers = [
    { status: 201, body: { sid: 'VE2', status: 'pending' } },
    { status: 200, body: { status: 'pending', valid: false } },
    { status: 404, body: { code: 20404 } },
    { status: 500, body: {} },
    { status: 200, body: { status: 'approved', valid: true } },
  ]
  await ask('twilio_verify', phone)
  expect(codeIn(await verify('111111'))).toEqual([403, 'otp_expired'])
  expect(codeIn(await verify('111111'))).toEqual([403, 'otp_expired'])
  const body = { phone, token: '222222', type: 'sms' }
  const down = await tenantOf('twilio_verify').call('POST', '/verify', body)
  expect(await refusal(down)).toEqual([503, 'provider_unreachable'])
  expect((await verify('222222')).data.user).toMatchObject({ phone })
  expect(service.asked.at(-1)).toMatchObject({
    path: '/v2/Services/VA1/VerificationCheck',
    form: { To: `+${phone}`, Code: '222222' },
  })
  const before = service.asked.length
  expect(codeIn(await verify('222222'))).toEqual([403, 'otp_expired'])
  expect(service.asked).toHaveLength(before)
})

test('a code of Twilio Verify proves a number, and nothing about the user again', async () => {
  const tenant = tenantOf('twilio_verify')
  const phone = newPhone()
  const { admin } = tenant.client(tenant.serviceKey).auth
  await admin.createUser({ phone, password, phone_confirm: true })
  const client = tenant.client()
  await client.auth.signInWithPassword({ phone, password })
  expect(codeIn(await client.auth.reauthenticate())).toEqual([400, 'validation_failed'])
  const other = newPhone()
  service.answers = [
    { status: 201, body: { sid: 'VE4', status: 'pending' } },
    { status: 200, body: { status: 'approved', valid: true } },
  ]
  expect((await client.auth.updateUser({ phone: other })).error).toBeNull()
  const proof = { phone: other, token: '222222', type: 'phone_change' } as const
  expect((await tenant.client().auth.verifyOtp(proof)).data.user?.phone).toBe(other)
})

test('a code of Twilio Verify that is too old is not asked about', async () => {
  const phone = newPhone()
  service.answers = [{ status: 201, body: { sid: 'VE3', status: 'pending' } }]
  await ask('twilio_verify', phone)
  server.advance(3601)
  const client = tenantOf('twilio_verify').client()
  const answer = await client.auth.verifyOtp({ phone, token: '222222', type: 'sms' })
  expect(codeIn(answer)).toEqual([403, 'otp_expired'])
  expect(service.asked).toHaveLength(1)
})
