import type { SupabaseClient } from '@supabase/supabase-js'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSafeFetch } from '#kit/network/safe-fetch'
import { startHookServer } from '../../testing/auth/hook.ts'
import { codeIn, enrolled, level, mfaTesting, refusal, tokenOf } from '../../testing/auth/mfa.ts'
import { startSmsService } from '../../testing/auth/sms.ts'
import { lastCode, newPhone, noLimits, startAuthServer } from '../../testing/auth/server.ts'
import type { TestServer, TestTenant } from '../../testing/auth/server.ts'

let server: TestServer
let tenant: TestTenant
let mfa: ReturnType<typeof mfaTesting>

const phones = {
  mfaPhoneEnrollEnabled: true,
  mfaPhoneVerifyEnabled: true,
  mfaPhoneIntervalSeconds: 0,
}

beforeAll(async () => {
  const fetch = createSafeFetch({ allowLoopback: true, timeoutMs: 1_000 })
  server = await startAuthServer({ fetch })
  tenant = await server.tenant('main', { mailerAutoconfirm: true, ...phones })
  mfa = mfaTesting(server, tenant)
})
afterAll(() => server.close())

const enroll = (client: SupabaseClient, phone: string, friendlyName = phone) =>
  client.auth.mfa.enroll({ factorType: 'phone', phone, friendlyName })

/** A user whose telephone is not proven yet, and a challenge that sent it a code. */
async function waiting() {
  const { client, email } = await mfa.signedUp()
  const phone = newPhone()
  const { data: factor, error } = await enroll(client, `+${phone}`)
  if (error) throw error
  const challenge = async () => {
    const { data, error: refused } = await client.auth.mfa.challenge({ factorId: factor.id })
    if (refused) throw refused
    return data
  }
  return { client, email, phone, factor, challenge }
}

test('telephones are no second factors unless that is on', async () => {
  const { client, factor, challenge } = await waiting()
  const { id: challengeId } = await challenge()
  Object.assign(tenant.config, { mfaPhoneEnrollEnabled: false })
  expect(codeIn(await enroll(client, newPhone()))).toEqual([422, 'mfa_phone_enroll_not_enabled'])
  // Those that are there are shown all the same, until that is off as well.
  Object.assign(tenant.config, { mfaPhoneVerifyEnabled: false })
  const off = [422, 'mfa_phone_verify_not_enabled']
  expect(codeIn(await client.auth.mfa.challenge({ factorId: factor.id }))).toEqual(off)
  const answer = { factorId: factor.id, challengeId, code: '000000' }
  expect(codeIn(await client.auth.mfa.verify(answer))).toEqual(off)
  Object.assign(tenant.config, phones)
})

test.each(['', '12', 'call me', '+49 30'])('"%s" is no number of a factor', async (phone) => {
  const { client } = await mfa.signedUp()
  expect(codeIn(await enroll(client, phone, 'Telephone'))).toEqual([400, 'validation_failed'])
})

test('a telephone becomes a second factor with the code that it gets', async () => {
  const { client, phone, factor, challenge } = await waiting()
  expect(factor).toEqual({ id: factor.id, type: 'phone', friendly_name: `+${phone}`, phone })
  expect(await level(client)).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal1' })
  const { id: challengeId, type } = await challenge()
  expect(type).toBe('phone')
  const code = lastCode(tenant, phone)
  const answer = { factorId: factor.id, challengeId }
  const wrong = await client.auth.mfa.verify({
    ...answer,
    code: code === '111111' ? '222222' : '111111',
  })
  expect(codeIn(wrong)).toEqual([422, 'mfa_verification_failed'])
  expect(wrong.error?.message).toBe('Invalid MFA Phone code entered')
  const { data, error } = await client.auth.mfa.verify({ ...answer, code })
  expect(error).toBeNull()
  const claims = decodeJwt(data?.access_token ?? '')
  expect(claims).toMatchObject({ aal: 'aal2', amr: [{ method: 'phone' }, { method: 'password' }] })
  const { data: factors } = await client.auth.mfa.listFactors()
  expect(factors?.phone).toMatchObject([{ phone, status: 'verified', factor_type: 'phone' }])
  // Once.
  expect(codeIn(await client.auth.mfa.verify({ ...answer, code }))).toEqual([
    404,
    'mfa_factor_not_found',
  ])
  // The code is nowhere, not even in the database.
  const [row] = await tenant.sql('select otp_code from auth.mfa_challenges where id = $1', [
    challengeId,
  ])
  expect(row).toEqual({ otp_code: null })
  // Taken away, it counts no more.
  expect((await client.auth.mfa.unenroll({ factorId: factor.id })).error).toBeNull()
  await client.auth.refreshSession()
  expect(decodeJwt(await tokenOf(client))).toMatchObject({
    aal: 'aal1',
    amr: [{ method: 'password' }],
  })
})

test('a code fits the challenge that sent it, for five minutes', async () => {
  const { client, phone, factor, challenge } = await waiting()
  const first = await challenge()
  const old = lastCode(tenant, phone)
  const [kept] = await tenant.sql('select otp_code from auth.mfa_challenges where id = $1', [
    first.id,
  ])
  expect(kept?.['otp_code']).toMatch(/^[0-9a-f]{64}$/)
  let second = await challenge()
  // One in a million is the same.
  while (lastCode(tenant, phone) === old) second = await challenge()
  const verify = (challengeId: string, code: string) =>
    client.auth.mfa.verify({ factorId: factor.id, challengeId, code })
  expect(codeIn(await verify(second.id, old))).toEqual([422, 'mfa_verification_failed'])
  server.advance(301)
  const late = await verify(second.id, lastCode(tenant, phone))
  expect(codeIn(late)).toEqual([422, 'mfa_challenge_expired'])
})

test('the same number is one factor, and who has a factor needs it to add another', async () => {
  const { client, email, phone, factor } = await waiting()
  const { data: again } = await enroll(client, phone, 'Again')
  expect(again?.id).not.toBe(factor.id)
  const stale = await client.auth.mfa.challenge({ factorId: factor.id })
  expect(codeIn(stale)).toEqual([404, 'mfa_factor_not_found'])
  const { data: challenge } = await client.auth.mfa.challenge({ factorId: again?.id ?? '' })
  const verified = await client.auth.mfa.verify({
    factorId: again?.id ?? '',
    challengeId: challenge?.id ?? '',
    code: lastCode(tenant, phone),
  })
  expect(verified.error).toBeNull()
  expect(codeIn(await enroll(client, phone))).toEqual([422, 'mfa_verified_factor_exists'])
  const thief = await mfa.signedIn(email)
  expect(codeIn(await enroll(thief, newPhone()))).toEqual([403, 'insufficient_aal'])
  expect((await enrolled(client)).totp.uri).toContain('otpauth://')
})

test("a number gets a code once in the interval, whose text is the tenant's", async () => {
  const template = { mfaPhoneTemplate: 'Shop says {{ .Code }}', mfaPhoneOtpLength: 8 }
  const slow = await server.tenant('slow', {
    mailerAutoconfirm: true,
    ...phones,
    ...template,
    mfaPhoneIntervalSeconds: 60,
  })
  const own = mfaTesting(server, slow)
  const { client } = await own.signedUp()
  const phone = newPhone()
  const { data } = await enroll(client, phone)
  const ask = () => client.auth.mfa.challenge({ factorId: data?.id ?? '' })
  expect((await ask()).error).toBeNull()
  expect(slow.texts.at(-1)).toMatchObject({
    to: phone,
    text: expect.stringMatching(/^Shop says \d{8}$/),
  })
  const soon = await ask()
  expect(codeIn(soon)).toEqual([429, 'over_sms_send_rate_limit'])
  expect(soon.error?.message).toMatch(
    /^For security purposes, you can only request this after \d+ seconds\.$/,
  )
  expect(slow.texts).toHaveLength(1)
})

test('guessing codes of a telephone ends after a few, whatever the challenge', async () => {
  const few = { ...noLimits.rateLimits, mfaFailures: { points: 3, seconds: 3600 } }
  const strict = await server.tenant('strict', {
    mailerAutoconfirm: true,
    ...phones,
    rateLimits: few,
  })
  const own = mfaTesting(server, strict)
  const { client } = await own.signedUp()
  const phone = newPhone()
  const { data } = await enroll(client, phone)
  const path = `/factors/${data?.id}`
  const token = await tokenOf(client)
  const attempt = async (guess: (right: string) => string) => {
    const asked = await own.as(token, 'POST', `${path}/challenge`, {})
    const { id } = (await asked.json()) as { id: string }
    const code = guess(lastCode(strict, phone))
    return refusal(await own.as(token, 'POST', `${path}/verify`, { challenge_id: id, code }))
  }
  const wrong = (right: string) => (right === '000000' ? '000001' : '000000')
  for (const _ of [1, 2, 3]) expect(await attempt(wrong)).toEqual([422, 'mfa_verification_failed'])
  expect(await attempt((right) => right)).toEqual([429, 'over_request_rate_limit'])
})

test('where the service makes the codes it says which are right', async () => {
  const service = await startSmsService()
  const account = { accountSid: 'AC1', authToken: 'secret', messageServiceSid: 'VA1' }
  tenant.config.smsProvider = { kind: 'twilio_verify', url: service.url, ...account }
  const { client } = await mfa.signedUp()
  const phone = newPhone()
  const { data: factor } = await enroll(client, phone)
  const factorId = factor?.id ?? ''
  service.answers.push({ status: 201, body: { sid: 'VE1', status: 'pending', valid: false } })
  const { data: challenge, error } = await client.auth.mfa.challenge({ factorId })
  expect(error).toBeNull()
  const verify = (code: string) =>
    client.auth.mfa.verify({ factorId, challengeId: challenge?.id ?? '', code })
  service.answers.push({ status: 200, body: { status: 'pending', valid: false } })
  expect(codeIn(await verify('111111'))).toEqual([422, 'mfa_verification_failed'])
  service.answers.push({ status: 500, body: {} })
  // The library keeps no code of what can be tried again.
  expect(codeIn(await verify('222222'))).toEqual([503, undefined])
  service.answers.push({ status: 200, body: { status: 'approved', valid: true } })
  expect((await verify('222222')).error).toBeNull()
  expect(service.asked.map(({ form }) => form)).toEqual([
    { To: `+${phone}`, Channel: 'sms' },
    { To: `+${phone}`, Code: '111111' },
    { To: `+${phone}`, Code: '222222' },
    { To: `+${phone}`, Code: '222222' },
  ])
  tenant.config.smsProvider = undefined
  server.logged.length = 0
  await service.close()
})

test('a hook that sends messages sends those of second factors as well', async () => {
  const hooks = await startHookServer()
  const { client, phone, factor } = await waiting()
  tenant.config.hooks = { SEND_SMS: hooks.hook }
  const { data } = await client.auth.mfa.challenge({ factorId: factor.id })
  const { sms } = hooks.asked[0]?.body ?? {}
  expect(sms).toEqual({ otp: expect.stringMatching(/^\d{6}$/), phone, sms_type: 'mfa' })
  const answer = { factorId: factor.id, challengeId: data?.id ?? '', code: sms?.['otp'] ?? '' }
  expect((await client.auth.mfa.verify(answer)).error).toBeNull()
  tenant.config.hooks = {}
  await hooks.close()
})
