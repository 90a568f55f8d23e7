import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { enrolled, level, mfaTesting, refusal, tokenOf } from '../../testing/auth/mfa.ts'
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

const path = '/factors/recovery-codes'
type Tokens = { access_token: string; refresh_token: string }

async function codesFor(client: SupabaseClient): Promise<string[]> {
  const response = await mfa.as(await tokenOf(client), 'POST', path)
  expect(response.status).toBe(200)
  return ((await response.json()) as { codes: string[] }).codes
}

const shown = async (client: SupabaseClient, code: string) =>
  mfa.as(await tokenOf(client), 'POST', `${path}/verify`, { code })

const left = async (client: SupabaseClient) =>
  (await (await mfa.as(await tokenOf(client), 'GET', path)).json()) as { remaining: number }

async function withCodes() {
  const user = await mfa.protectedUser()
  return { ...user, codes: await codesFor(user.client) }
}

const wrongCode = [422, 'mfa_verification_failed']

test('nobody makes, sees or shows codes without being signed in', async () => {
  for (const [method, to] of [
    ['GET', path],
    ['POST', path],
    ['POST', `${path}/verify`],
  ] as const) {
    const answer = await tenant.call(method, to, method === 'GET' ? undefined : { code: 'x' })
    expect(await refusal(answer)).toEqual([401, 'no_authorization'])
  }
})

test('codes are made only in a session that has shown the second factor', async () => {
  const { client } = await mfa.signedUp()
  const bare = await mfa.as(await tokenOf(client), 'POST', path)
  expect(await refusal(bare)).toEqual([403, 'insufficient_aal'])
  const { email } = await mfa.protectedUser()
  const half = await mfa.as(await tokenOf(await mfa.signedIn(email)), 'POST', path)
  expect(await refusal(half)).toEqual([403, 'insufficient_aal'])
})

test('ten codes, each of which raises one session once', async () => {
  const { email, codes, factor } = await withCodes()
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) expect(code).toMatch(/^[a-z2-9]{5}-[a-z2-9]{5}$/)
  const client = await mfa.signedIn(email)
  expect(await level(client)).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal2' })
  expect(await left(client)).toMatchObject({ total: 10, remaining: 10, last_used_at: null })

  const before = await tokenOf(client)
  // People type them in capitals, with or without what is between.
  const answer = await shown(client, ` ${codes[0]?.toUpperCase().replace('-', ' ')} `)
  expect(answer.status).toBe(200)
  const session = (await answer.json()) as Tokens
  expect((await client.auth.setSession(session)).error).toBeNull()
  const methods = (await level(client))?.currentAuthenticationMethods
  expect(methods?.map((one) => (typeof one === 'string' ? one : one.method))).toEqual([
    'recovery_code',
    'password',
  ])
  expect(await level(client)).toMatchObject({ currentLevel: 'aal2' })
  expect(await left(client)).toMatchObject({ remaining: 9, last_used_at: expect.any(String) })
  // A token from before gains nothing.
  const holder = await server.auth.access.holderOf(tenant, before)
  expect(holder).toMatchObject({ aal: 'aal1', secondFactorMissing: true })
  await client.auth.refreshSession()
  expect(await level(client)).toMatchObject({ currentLevel: 'aal2' })

  const again = await mfa.signedIn(email)
  expect(await refusal(await shown(again, codes[0] ?? ''))).toEqual(wrongCode)
  expect(await level(again)).toMatchObject({ currentLevel: 'aal1' })
  expect((await shown(again, codes[1] ?? '')).status).toBe(200)
  // The way back: the lost factor goes, and a new one comes.
  expect((await client.auth.mfa.unenroll({ factorId: factor.id })).error).toBeNull()
  expect((await enrolled(client, 'New telephone')).id).not.toBe(factor.id)
})

test('of requests with one code at one moment only one passes', async () => {
  const { email, codes } = await withCodes()
  const clients = await Promise.all(Array.from({ length: 4 }, () => mfa.signedIn(email)))
  const tokens = await Promise.all(clients.map(tokenOf))
  const answers = await Promise.all(
    tokens.map((token) => mfa.as(token, 'POST', `${path}/verify`, { code: codes[3] })),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.every(({ status }) => [200, 403, 422].includes(status))).toBe(true)
})

test('new codes take the place of the old ones, and of another account none counts', async () => {
  const { client, email, codes } = await withCodes()
  const fresh = await codesFor(client)
  const other = await withCodes()
  const second = await mfa.signedIn(email)
  expect(await refusal(await shown(second, codes[0] ?? ''))).toEqual(wrongCode)
  expect(await refusal(await shown(second, other.codes[0] ?? ''))).toEqual(wrongCode)
  expect((await shown(second, fresh[0] ?? '')).status).toBe(200)
})

test('the database has neither the codes nor what they could be guessed by', async () => {
  const { codes, email } = await withCodes()
  const [row] = await tenant.sql(
    `select code_hashes::text as hashes, sealed_key from auth.mfa_recovery_codes
      where user_id = (select id from auth.users where email = $1)`,
    [email],
  )
  for (const code of codes) expect(row?.['hashes']).not.toContain(code.replace('-', ''))
  expect(String(row?.['sealed_key'])).toMatch(/^v1\./)
})

test('bodies without a code are refused, and users without codes get the answer of a wrong one', async () => {
  const { client } = await mfa.protectedUser()
  for (const body of [{}, { code: '  ' }, { code: 7 }]) {
    const answer = await mfa.as(await tokenOf(client), 'POST', `${path}/verify`, body)
    expect(await refusal(answer)).toEqual([400, 'validation_failed'])
  }
  expect(await refusal(await shown(client, 'aaaaa-aaaaa'))).toEqual(wrongCode)
  expect(await left(client)).toEqual({
    total: 0,
    remaining: 0,
    created_at: null,
    last_used_at: null,
  })
})

test('with the last factor the codes go, and what they raised falls back', async () => {
  const { client, email, codes, factor } = await withCodes()
  const recovered = await mfa.signedIn(email)
  const session = (await (await shown(recovered, codes[0] ?? '')).json()) as Tokens
  const second = await enrolled(client, 'Second')
  await client.auth.mfa.challengeAndVerify({
    factorId: second.id,
    code: mfa.nextCode(second.secret),
  })
  expect((await client.auth.mfa.unenroll({ factorId: factor.id })).error).toBeNull()
  expect(await left(client)).toMatchObject({ remaining: 9 })
  const userId = (await client.auth.getUser()).data.user?.id ?? ''
  const admin = tenant.client(tenant.serviceKey).auth.admin.mfa
  expect((await admin.deleteFactor({ userId, id: second.id })).error).toBeNull()
  expect(await left(client)).toMatchObject({ total: 0, remaining: 0 })
  const holder = await server.auth.access.holderOf(tenant, session.access_token)
  expect(holder).toMatchObject({ aal: 'aal1', secondFactorMissing: false })
  const actions = await tenant.sql(
    `select payload ->> 'action' as action, payload -> 'traits' ->> 'factor_type' as type,
            payload ->> 'actor_username' as who
       from auth.audit_log_entries where payload -> 'traits' ->> 'factor_type' = 'recovery_code'
         and (payload ->> 'actor_id' = $1 or payload -> 'traits' ->> 'user_id' = $1) order by created_at`,
    [userId],
  )
  expect(actions).toEqual([
    { action: 'generate_recovery_codes', type: 'recovery_code', who: email },
    { action: 'mfa_code_login', type: 'recovery_code', who: email },
    { action: 'recovery_codes_deleted', type: 'recovery_code', who: 'service_role' },
  ])
})

test('codes whose factors were deleted in the database do not come back with a new factor', async () => {
  const { client, email, codes } = await withCodes()
  await tenant.sql(
    'delete from auth.mfa_factors where user_id = (select id from auth.users where email = $1)',
    [email],
  )
  expect(await refusal(await shown(client, codes[0] ?? ''))).toEqual(wrongCode)
  const factor = await enrolled(client)
  const code = mfa.nextCode(factor.secret)
  expect((await client.auth.mfa.challengeAndVerify({ factorId: factor.id, code })).error).toBeNull()
  expect(await left(client)).toMatchObject({ total: 0, remaining: 0 })
})

test('guessing ends with 429, and the right code does not help then', async () => {
  const strict = await server.tenant('strict', { mailerAutoconfirm: true })
  const its = mfaTesting(server, strict)
  const { client } = await its.protectedUser()
  const token = await tokenOf(client)
  const made = (await (await its.as(token, 'POST', path)).json()) as { codes: string[] }
  strict.config.rateLimits = {
    ...strict.config.rateLimits,
    mfaFailures: { points: 5, seconds: 60 },
  }
  const guess = async (code: string) =>
    (await its.as(token, 'POST', `${path}/verify`, { code })).status
  const guesses = Array.from({ length: 8 }, (_, at) => guess(`aaaaa-aaaa${at + 2}`))
  const statuses = (await Promise.all(guesses)).toSorted((a, b) => a - b)
  expect(statuses).toEqual([...Array<number>(5).fill(422), ...Array<number>(3).fill(429)])
  expect(await guess(made.codes[0] ?? '')).toBe(429)
})

test('where no kind of second factor counts, neither do codes', async () => {
  const off = await server.tenant('off', { mailerAutoconfirm: true, mfaTotpEnabled: false })
  const client = off.client()
  await client.auth.signUp({ email: newEmail(), password })
  const headers = { authorization: `Bearer ${await tokenOf(client)}` }
  const make = await off.call('POST', path, {}, headers)
  expect(await refusal(make)).toEqual([422, 'feature_disabled'])
  const show = await off.call('POST', `${path}/verify`, { code: 'aaaaa-aaaaa' }, headers)
  expect(await refusal(show)).toEqual([422, 'feature_disabled'])
})

test('whoever proves an address that another signed up with gets an account without their codes', async () => {
  const open = await server.tenant('unproven', { mailerAutoconfirm: false })
  const email = newEmail()
  const [user] = await open.sql(
    `insert into auth.users (id, email, aud, role) values (gen_random_uuid(), $1, 'authenticated', 'authenticated')
     returning id`,
    [email],
  )
  await open.sql(
    `insert into auth.mfa_recovery_codes (user_id, sealed_key, code_hashes) values ($1, 'x', '{y}')`,
    [user?.['id']],
  )
  await open.client().auth.resetPasswordForEmail(email)
  const link = open.mails.findLast(({ to }) => to === email)?.text ?? ''
  const url = /^http\S+\/verify\?\S+$/m.exec(link)?.[0] ?? ''
  expect((await fetch(url, { redirect: 'manual' })).status).toBe(303)
  expect(await open.sql('select 1 from auth.mfa_recovery_codes')).toEqual([])
})

test('a hook hears of codes as of factors, and its rejection ends the sessions', async () => {
  const { client, email, codes } = await withCodes()
  await tenant.sql(
    `create function public.no_recovery(event jsonb) returns jsonb language sql as $$
       select case when event->>'factor_type' = 'recovery_code' and (event->>'factor_id')::uuid is not null
           and (event->>'valid')::boolean then '{"decision": "reject"}'::jsonb else '{"decision": "continue"}' end $$;
     grant execute on function public.no_recovery to supabase_auth_admin`,
  )
  tenant.config.hooks = {
    ...tenant.config.hooks,
    MFA_VERIFICATION_ATTEMPT: {
      kind: 'database',
      schema: 'public',
      name: 'no_recovery',
      secrets: [],
    },
  }
  const second = await mfa.signedIn(email)
  expect(await refusal(await shown(second, 'aaaaa-aaaaa'))).toEqual(wrongCode)
  expect(await refusal(await shown(second, codes[0] ?? ''))).toEqual([
    403,
    'mfa_verification_rejected',
  ])
  expect((await client.auth.getUser()).error).not.toBeNull()
})
