import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeIn, enrolled, mfaTesting, refusal, tokenOf } from '../../testing/auth/mfa.ts'
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

test('a code that was read over the shoulder does not work a second time', async () => {
  // The very code that was used: the app may show its next one by now.
  const { email, factor, code: seen } = await mfa.protectedUser()
  const thief = await mfa.signedIn(email)
  const attempt = (code: string) => thief.auth.mfa.challengeAndVerify({ factorId: factor.id, code })
  const replay = codeIn(await attempt(seen))
  expect(replay).toEqual([422, 'mfa_verification_failed'])
  const older = codeIn(await attempt(mfa.codeOf(factor.secret, -30)))
  expect(older).toEqual([422, 'mfa_verification_failed'])
  expect((await attempt(mfa.nextCode(factor.secret))).error).toBeNull()
})

test('of requests with one code at one moment only one passes', async () => {
  const { email, factor } = await mfa.protectedUser()
  const client = await mfa.signedIn(email)
  const token = await tokenOf(client)
  const path = `/factors/${factor.id}`
  const challenges = await Promise.all(
    Array.from({ length: 6 }, () => client.auth.mfa.challenge({ factorId: factor.id })),
  )
  const code = mfa.nextCode(factor.secret)
  const answers = await Promise.all(
    challenges.map(({ data }) =>
      mfa.as(token, 'POST', `${path}/verify`, { challenge_id: data?.id, code }),
    ),
  )
  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
  expect(statuses).toEqual([200, ...Array<number>(5).fill(422)])
})

test('with a factor, sessions without it end when one shows it', async () => {
  const { email, factor, client } = await mfa.protectedUser()
  const weak = await mfa.signedIn(email)
  const strong = await mfa.signedIn(email)
  const { error } = await strong.auth.mfa.challengeAndVerify({
    factorId: factor.id,
    code: mfa.nextCode(factor.secret),
  })
  expect(error).toBeNull()
  expect((await weak.auth.getUser()).error).not.toBeNull()
  // A session that had shown it stays.
  expect((await client.auth.getUser()).error).toBeNull()
})

test('tokens from before the second factor gain nothing by it', async () => {
  const { email, factor } = await mfa.protectedUser()
  const client = await mfa.signedIn(email)
  const { data } = await client.auth.getSession()
  const before = data.session
  await client.auth.mfa.challengeAndVerify({
    factorId: factor.id,
    code: mfa.nextCode(factor.secret),
  })
  const holder = await server.auth.access.holderOf(tenant, before?.access_token ?? '')
  expect(holder).toMatchObject({ aal: 'aal1', secondFactorMissing: true })
  const now = await server.auth.access.holderOf(tenant, await tokenOf(client))
  expect(now).toMatchObject({ aal: 'aal2', secondFactorMissing: false })
  const body = { refresh_token: before?.refresh_token }
  const stolen = await tenant.call('POST', '/token?grant_type=refresh_token', body)
  expect(await refusal(stolen)).toEqual([400, 'refresh_token_already_used'])
})

test('the password alone neither adds, removes nor finishes a factor, nor changes password or address', async () => {
  const { client, email } = await mfa.signedUp()
  // Begun by somebody who knew the password, before the owner protected the account.
  const thief = await mfa.signedIn(email)
  const planted = await enrolled(thief, 'Planted')
  const factor = await enrolled(client, 'Own')
  await tenant.sql(`update auth.mfa_factors set status = 'verified' where id = $1`, [factor.id])
  const token = await tokenOf(thief)
  const call = async (method: string, path: string, body?: unknown) =>
    refusal(await mfa.as(token, method, path, body))

  expect(await call('POST', '/factors', { factor_type: 'totp', friendly_name: 'x' })).toEqual([
    403,
    'insufficient_aal',
  ])
  const { data } = await thief.auth.mfa.challenge({ factorId: planted.id })
  const answer = { challenge_id: data?.id, code: mfa.nextCode(planted.secret) }
  expect(await call('POST', `/factors/${planted.id}/verify`, answer)).toEqual([
    403,
    'insufficient_aal',
  ])
  expect(await call('DELETE', `/factors/${factor.id}`)).toEqual([422, 'insufficient_aal'])
  expect(await call('PUT', '/user', { password: 'another horse 2' })).toEqual([
    401,
    'insufficient_aal',
  ])
  expect(await call('PUT', '/user', { email: newEmail() })).toEqual([401, 'insufficient_aal'])
  expect(await call('DELETE', '/user/email_change')).toEqual([401, 'insufficient_aal'])
  expect(await call('GET', '/sessions')).toEqual([403, 'insufficient_aal'])
  expect(await call('DELETE', `/sessions/${planted.id}`)).toEqual([403, 'insufficient_aal'])
  // Their own name is no secret.
  expect((await mfa.as(token, 'PUT', '/user', { data: { name: 'Eve' } })).status).toBe(200)
})

test('the first verified factor throws out those that were only begun', async () => {
  const { client, email } = await mfa.signedUp()
  const planted = await enrolled(await mfa.signedIn(email), 'Planted')
  const factor = await enrolled(client, 'Own')
  await client.auth.mfa.challengeAndVerify({
    factorId: factor.id,
    code: mfa.nextCode(factor.secret),
  })
  const gone = codeIn(await client.auth.mfa.challenge({ factorId: planted.id }))
  expect(gone).toEqual([404, 'mfa_factor_not_found'])
})

test("another user's factor can be neither challenged, verified nor removed", async () => {
  const { factor } = await mfa.protectedUser()
  const { client } = await mfa.protectedUser()
  const token = await tokenOf(client)
  const missing = [404, 'mfa_factor_not_found']
  const path = `/factors/${factor.id}`
  expect(await refusal(await mfa.as(token, 'POST', `${path}/challenge`))).toEqual(missing)
  const body = { challenge_id: factor.id, code: mfa.nextCode(factor.secret) }
  expect(await refusal(await mfa.as(token, 'POST', `${path}/verify`, body))).toEqual(missing)
  expect(await refusal(await mfa.as(token, 'DELETE', path))).toEqual(missing)
  expect(await refusal(await mfa.as(token, 'DELETE', '/factors/none'))).toEqual(missing)
})

test('guessing codes ends with 429, also when all guesses come at once', async () => {
  const strict = await server.tenant('strict', { mailerAutoconfirm: true })
  strict.config.rateLimits = {
    ...strict.config.rateLimits,
    mfaFailures: { points: 5, seconds: 60 },
  }
  const client = strict.client()
  await client.auth.signUp({ email: newEmail(), password })
  const factor = await enrolled(client)
  const { data } = await client.auth.mfa.challenge({ factorId: factor.id })
  const headers = { authorization: `Bearer ${await tokenOf(client)}` }
  const guess = (code: string) =>
    strict.call('POST', `/factors/${factor.id}/verify`, { challenge_id: data?.id, code }, headers)
  // None of them is a code of this or a neighbouring step, or the test would be one in a hundred thousand.
  const near = [-30, 0, 30].map((seconds) => mfa.codeOf(factor.secret, seconds))
  const wrong = ['111111', '222222', '333333', '444444', '555555', '666666', '777777', '888888']
  const codes = wrong.filter((code) => !near.includes(code))
  const statuses = (await Promise.all(codes.map(guess))).map(({ status }) => status)
  expect(statuses.filter((status) => status === 422)).toHaveLength(5)
  expect(statuses.filter((status) => status === 429)).toHaveLength(codes.length - 5)
  // Not even the right one helps now.
  expect((await guess(mfa.codeOf(factor.secret))).status).toBe(429)
})

test('requests about factors are limited for one address', async () => {
  const busy = await server.tenant('busy', { mailerAutoconfirm: true })
  busy.config.rateLimits = { ...busy.config.rateLimits, mfa: { points: 2, seconds: 60 } }
  const client = busy.client()
  await client.auth.signUp({ email: newEmail(), password })
  const { id } = await enrolled(client)
  expect((await client.auth.mfa.challenge({ factorId: id })).error).toBeNull()
  const third = codeIn(await client.auth.mfa.challenge({ factorId: id }))
  expect(third).toEqual([429, 'over_request_rate_limit'])
})
