import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeIn, enrolled, level, mfaTesting, refusal, tokenOf } from '../../testing/auth/mfa.ts'
import { newEmail, password, startAuthServer } from '../../testing/auth/server.ts'
import type { TestServer, TestTenant } from '../../testing/auth/server.ts'

let server: TestServer
let tenant: TestTenant
let mfa: ReturnType<typeof mfaTesting>

beforeAll(async () => {
  server = await startAuthServer()
  tenant = await server.tenant('main', { mailerAutoconfirm: true })
  mfa = mfaTesting(server, tenant)
})
afterAll(() => server.close())

test('nobody adds a factor without being signed in', async () => {
  expect(await refusal(await tenant.call('POST', '/factors', { factor_type: 'totp' }))).toEqual([
    401,
    'no_authorization',
  ])
})

test.each([
  [{}, 400, 'validation_failed'],
  [{ factor_type: 'face' }, 400, 'validation_failed'],
  [{ factor_type: 'phone', phone: '+4915112345678' }, 422, 'mfa_phone_enroll_not_enabled'],
  [{ factor_type: 'webauthn' }, 422, 'mfa_webauthn_enroll_not_enabled'],
  [{ factor_type: 'totp', issuer: 'a:b' }, 400, 'validation_failed'],
  [{ factor_type: 'totp', friendly_name: 'x'.repeat(300) }, 400, 'validation_failed'],
])('enrolment of %j is refused with %i %s', async (body, status, code) => {
  const { client } = await mfa.signedUp()
  const response = await mfa.as(await tokenOf(client), 'POST', '/factors', body)
  expect(await refusal(response)).toEqual([status, code])
})

test('an anonymous user gets no factor, and a tenant may switch them off', async () => {
  const open = await server.tenant('open', { anonymousEnabled: true })
  const anonymous = open.client()
  await anonymous.auth.signInAnonymously()
  const refused = codeIn(await anonymous.auth.mfa.enroll({ factorType: 'totp' }))
  expect(refused).toEqual([403, 'no_authorization'])

  const off = await server.tenant('off', { mailerAutoconfirm: true, mfaTotpEnabled: false })
  const client = off.client()
  await client.auth.signUp({ email: newEmail(), password })
  const disabled = codeIn(await client.auth.mfa.enroll({ factorType: 'totp' }))
  expect(disabled).toEqual([422, 'mfa_totp_enroll_not_enabled'])
})

test('enrol, challenge, verify: the session rises to aal2 and the user has the factor', async () => {
  const { client, email } = await mfa.signedUp()
  const factor = await enrolled(client)
  expect(factor.totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg[^#]*<\/svg>\s*$/)
  expect(factor.totp.uri).toContain(`otpauth://totp/localhost:${encodeURIComponent(email)}?`)
  expect(await level(client)).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal1' })

  const { data: challenge } = await client.auth.mfa.challenge({ factorId: factor.id })
  expect(challenge).toMatchObject({ type: 'totp', id: expect.any(String) })
  const { data, error } = await client.auth.mfa.verify({
    factorId: factor.id,
    challengeId: challenge?.id ?? '',
    code: mfa.codeOf(factor.secret),
  })
  expect(error).toBeNull()
  expect(data?.user.factors).toMatchObject([
    { id: factor.id, status: 'verified', factor_type: 'totp', friendly_name: 'Telephone' },
  ])
  expect(await level(client)).toMatchObject({
    currentLevel: 'aal2',
    nextLevel: 'aal2',
    currentAuthenticationMethods: [{ method: 'totp' }, { method: 'password' }],
  })
  const { data: list } = await client.auth.mfa.listFactors()
  expect(list?.totp.map(({ id }) => id)).toEqual([factor.id])
  // The level lasts through a refresh.
  await client.auth.refreshSession()
  expect(await level(client)).toMatchObject({ currentLevel: 'aal2' })
})

test('the secret is sealed in the database and never shown again', async () => {
  const { client, factor } = await mfa.protectedUser()
  const [row] = await tenant.sql('select secret from auth.mfa_factors where id = $1', [factor.id])
  expect(String(row?.['secret'])).toMatch(/^v1\./)
  expect(String(row?.['secret'])).not.toContain(factor.secret)
  expect(JSON.stringify(await client.auth.getUser())).not.toContain(factor.secret)
  // Copied to another factor it does not open there.
  const other = await mfa.signedUp()
  const victim = await enrolled(other.client)
  await tenant.sql('update auth.mfa_factors set secret = $2 where id = $1', [
    victim.id,
    row?.['secret'],
  ])
  const { data } = await other.client.auth.mfa.challenge({ factorId: victim.id })
  const token = await tokenOf(other.client)
  const body = { challenge_id: data?.id, code: mfa.nextCode(factor.secret) }
  const response = await mfa.as(token, 'POST', `/factors/${victim.id}/verify`, body)
  expect(response.status).toBe(500)
  server.logged.length = 0
})

test('two factors of one name, and more than ten, are refused', async () => {
  const { client } = await mfa.signedUp()
  await enrolled(client, 'One')
  const twice = codeIn(await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'One' }))
  expect(twice).toEqual([422, 'mfa_factor_name_conflict'])
  for (let count = 2; count <= 10; count += 1) await enrolled(client, `Number ${count}`)
  const full = codeIn(await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'More' }))
  expect(full).toEqual([422, 'too_many_enrolled_mfa_factors'])
  // What was never finished makes room after a day.
  await tenant.sql(`update auth.mfa_factors set created_at = created_at - interval '24 hours'`)
  await enrolled(client, 'One')
})

test('a wrong code is refused and changes nothing', async () => {
  const { client } = await mfa.signedUp()
  const factor = await enrolled(client)
  const wrong = mfa.codeOf(factor.secret) === '000000' ? '000001' : '000000'
  const answer = codeIn(
    await client.auth.mfa.challengeAndVerify({ factorId: factor.id, code: wrong }),
  )
  expect(answer).toEqual([422, 'mfa_verification_failed'])
  expect(await level(client)).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal1' })
})

test('a challenge ends after five minutes, works once, and only for its factor', async () => {
  const { client } = await mfa.signedUp()
  const factor = await enrolled(client)
  const other = await enrolled(client, 'Other')
  const challenge = async (of = factor.id) =>
    (await client.auth.mfa.challenge({ factorId: of })).data?.id ?? ''
  const answer = async (challengeId: string, code: string) =>
    codeIn(await client.auth.mfa.verify({ factorId: factor.id, challengeId, code }))

  const foreign = await answer(await challenge(other.id), mfa.nextCode(factor.secret))
  expect(foreign).toEqual([404, 'mfa_factor_not_found'])
  const unknown = await answer('no id', mfa.nextCode(factor.secret))
  expect(unknown).toEqual([404, 'mfa_factor_not_found'])
  const old = await challenge()
  server.advance(301)
  const late = await answer(old, mfa.codeOf(factor.secret))
  expect(late).toEqual([422, 'mfa_challenge_expired'])
  const used = await challenge()
  expect(await answer(used, mfa.nextCode(factor.secret))).toEqual([undefined, undefined])
  const again = await answer(used, mfa.nextCode(factor.secret))
  expect(again).toEqual([404, 'mfa_factor_not_found'])
})

test('unenrolling takes the second factor back from every session that showed it', async () => {
  const { client, email, factor } = await mfa.protectedUser()
  const second = await mfa.signedIn(email)
  await second.auth.mfa.challengeAndVerify({
    factorId: factor.id,
    code: mfa.nextCode(factor.secret),
  })
  const { data, error } = await client.auth.mfa.unenroll({ factorId: factor.id })
  expect(error).toBeNull()
  expect(data).toEqual({ id: factor.id })
  const holder = await server.auth.access.holderOf(tenant, await tokenOf(second))
  expect(holder).toMatchObject({ aal: 'aal1', secondFactorMissing: false })
  await second.auth.refreshSession()
  expect(await level(second)).toMatchObject({
    currentLevel: 'aal1',
    nextLevel: 'aal1',
    currentAuthenticationMethods: [{ method: 'password' }],
  })
})

test('the service key lists, renames and removes the factors of a user, and nobody else does', async () => {
  const { client, factor } = await mfa.protectedUser()
  const userId = (await client.auth.getUser()).data.user?.id ?? ''
  const admin = tenant.client(tenant.serviceKey).auth.admin.mfa
  const anon = codeIn(await tenant.client().auth.admin.mfa.listFactors({ userId }))
  expect(anon).toEqual([403, 'not_admin'])
  const list = await admin.listFactors({ userId })
  expect(list.data?.factors).toMatchObject([{ id: factor.id, status: 'verified' }])
  const headers = { authorization: `Bearer ${tenant.serviceKey}` }
  const path = `/admin/users/${userId}/factors/${factor.id}`
  const renamed = await tenant.call('PUT', path, { friendly_name: 'Old one' }, headers)
  expect(await renamed.json()).toMatchObject({ friendly_name: 'Old one' })
  const foreign = codeIn(await admin.deleteFactor({ userId: factor.id, id: factor.id }))
  expect(foreign).toEqual([404, 'user_not_found'])
  expect((await admin.deleteFactor({ userId, id: factor.id })).error).toBeNull()
  expect((await admin.listFactors({ userId })).data?.factors).toEqual([])
  const holder = await server.auth.access.holderOf(tenant, await tokenOf(client))
  expect(holder).toMatchObject({ aal: 'aal1', secondFactorMissing: false })
})
