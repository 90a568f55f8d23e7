import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { WebSocket } from 'ws'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newAuthenticator } from '../../testing/auth/authenticator.ts'
import { mfaTesting, refusal, tokenOf } from '../../testing/auth/mfa.ts'
import {
  newEmail,
  startAuthServer,
  type TestServer,
  type TestTenant,
} from '../../testing/auth/server.ts'

const origin = 'http://localhost:3000'
const site = { origin }
let server: TestServer
let tenant: TestTenant
let tools: ReturnType<typeof mfaTesting>

beforeAll(async () => {
  server = await startAuthServer()
  tenant = await server.tenant('keys', { passkeysEnabled: true, mailerAutoconfirm: true })
  tools = mfaTesting(server, tenant)
})
afterAll(() => server.close())

/** The client as apps have it that use passkeys. */
async function passkeyClient(key = tenant.anonKey): Promise<SupabaseClient> {
  return createClient(`${server.origin}/keys`, key, {
    auth: { persistSession: false, autoRefreshToken: false, experimental: { passkey: true } },
    // Node 20 has no WebSocket of its own; nothing here opens one.
    realtime: { transport: WebSocket as never },
  })
}

async function signedUp() {
  const client = await passkeyClient()
  const email = newEmail()
  const { data } = await client.auth.signUp({ email, password: 'correct horse 1' })
  return { client, email, id: data.user?.id ?? '' }
}

async function registered() {
  const person = await signedUp()
  const device = newAuthenticator()
  const { data } = await person.client.auth.passkey.startRegistration()
  if (!data) throw new Error('no options')
  const credential = device.create(data.options as never, site)
  const made = await person.client.auth.passkey.verifyRegistration({
    challengeId: data.challenge_id,
    credential: credential as never,
  })
  expect(made.error).toBeNull()
  return { ...person, device, passkey: made.data?.id ?? '' }
}

type Begun = { challenge_id: string; options: { challenge: string; rpId: string } }
const begin = async () =>
  (await (await tenant.call('POST', '/passkeys/authentication/options', {})).json()) as Begun
const finish = (challenge_id: string, credential: object) =>
  tenant.call('POST', '/passkeys/authentication/verify', { challenge_id, credential })
const failed = [422, 'webauthn_verification_failed']

test('where passkeys are off, for strangers, and for accounts that can have none, they are refused', async () => {
  const { config } = tenant
  const { client } = await signedUp()
  const token = await tokenOf(client)
  tenant.config = { ...config, passkeysEnabled: false }
  expect(await (await tenant.call('GET', '/settings')).json()).toMatchObject({
    passkeys_enabled: false,
  })
  for (const [method, path, body] of [
    ['POST', '/passkeys/registration/options', {}],
    ['POST', '/passkeys/authentication/options', {}],
    ['GET', '/passkeys', undefined],
    ['DELETE', `/passkeys/${crypto.randomUUID()}`, undefined],
  ] as const) {
    expect(await refusal(await tools.as(token, method, path, body)), path).toEqual([
      422,
      'passkey_disabled',
    ])
  }
  tenant.config = { ...config, anonymousEnabled: true }
  for (const path of ['/passkeys', '/passkeys/registration/options']) {
    const method = path === '/passkeys' ? 'GET' : 'POST'
    expect(await refusal(await tenant.call(method, path))).toEqual([401, 'no_authorization'])
  }
  const nobody = tenant.client()
  await nobody.auth.signInAnonymously()
  const asked = await tools.as(await tokenOf(nobody), 'POST', '/passkeys/registration/options', {})
  expect(await refusal(asked)).toEqual([403, 'no_authorization'])
  const { client: half } = await tools
    .protectedUser()
    .then(async ({ email }) => ({ client: await tools.signedIn(email) }))
  const guarded = await tools.as(await tokenOf(half), 'POST', '/passkeys/registration/options', {})
  expect(await refusal(guarded)).toEqual([403, 'insufficient_aal'])
  tenant.config = config
})

test('a key is taken only for the page, the name and the challenge it was asked for, and once', async () => {
  const { client } = await signedUp()
  const token = await tokenOf(client)
  const ask = async () => (await client.auth.passkey.startRegistration()).data
  const answer = (challenge_id: string, credential: object, who = token) =>
    tools.as(who, 'POST', '/passkeys/registration/verify', { challenge_id, credential })
  const wrong: [string, Parameters<ReturnType<typeof newAuthenticator>['create']>[1]][] = [
    ['another page', { origin: 'https://evil.example' }],
    ['a page below', { origin: 'http://sub.localhost:3000' }],
    ['another name', { origin, rpId: 'evil.example' }],
    ['another challenge', { origin, challenge: Buffer.from('another').toString('base64url') }],
  ]
  for (const [what, where] of wrong) {
    const begun = await ask()
    const made = newAuthenticator().create(begun?.options as never, where)
    expect(await refusal(await answer(begun?.challenge_id ?? '', made)), what).toEqual(failed)
  }
  const begun = await ask()
  const idle = newAuthenticator()
  idle.userVerified = false
  const unverified = idle.create(begun?.options as never, site)
  expect(await refusal(await answer(begun?.challenge_id ?? '', unverified))).toEqual(failed)
  // The challenge is gone with the first answer.
  const late = newAuthenticator().create(begun?.options as never, site)
  const missing = [404, 'webauthn_challenge_not_found']
  expect(await refusal(await answer(begun?.challenge_id ?? '', late))).toEqual(missing)
  expect(await refusal(await answer('not an id', late))).toEqual(missing)
  const mine = await ask()
  const stranger = await signedUp()
  const stolen = await answer(mine?.challenge_id ?? '', late, await tokenOf(stranger.client))
  expect(await refusal(stolen)).toEqual(missing)
  expect(await refusal(await answer(mine?.challenge_id ?? '', {}))).toEqual([
    400,
    'validation_failed',
  ])
  const broken = { ...late, response: { clientDataJSON: 'x', attestationObject: 7 } }
  const last = await ask()
  expect(await refusal(await answer(last?.challenge_id ?? '', broken))).toEqual(failed)
})

test('the unmodified client registers a key, signs in with it, and manages it', async () => {
  const { client, id, device, passkey } = await registered()
  const signIn = await passkeyClient()
  const { data: begun } = await signIn.auth.passkey.startAuthentication()
  const credential = device.get(begun?.options as never, site)
  const { data, error } = await signIn.auth.passkey.verifyAuthentication({
    challengeId: begun?.challenge_id ?? '',
    credential: credential as never,
  })
  expect(error).toBeNull()
  expect(data?.user?.id).toBe(id)
  expect((await signIn.auth.getClaims()).data?.claims.amr).toMatchObject([{ method: 'passkey' }])
  await client.auth.passkey.update({ passkeyId: passkey, friendlyName: 'Telephone' })
  const { data: list } = await client.auth.passkey.list()
  expect(list).toMatchObject([{ id: passkey, friendly_name: 'Telephone' }])
  expect(list?.[0]?.last_used_at).toBeTruthy()
  const options = (await client.auth.passkey.startRegistration()).data?.options
  expect(options?.excludeCredentials).toMatchObject([{ id: device.id }])
  const other = await signedUp()
  const foreign = await other.client.auth.passkey.delete({ passkeyId: passkey })
  expect(foreign.error?.code).toBe('webauthn_credential_not_found')
  expect((await client.auth.passkey.delete({ passkeyId: passkey })).error).toBeNull()
  const again = await begin()
  expect(await refusal(await finish(again.challenge_id, device.get(again.options, site)))).toEqual(
    failed,
  )
})

test('what was signed elsewhere, before, by another key, or by a copy of it signs nobody in', async () => {
  const { device } = await registered()
  const replayed = await begin()
  const good = device.get(replayed.options, site)
  expect((await finish(replayed.challenge_id, good)).status).toBe(200)
  expect(await refusal(await finish(replayed.challenge_id, good))).toEqual([
    404,
    'webauthn_challenge_not_found',
  ])
  const fresh = await begin()
  expect(await refusal(await finish(fresh.challenge_id, good))).toEqual(failed)
  const phished = await begin()
  const elsewhere = device.get(phished.options, { origin: 'https://evil.example' })
  expect(await refusal(await finish(phished.challenge_id, elsewhere))).toEqual(failed)
  const back = await begin()
  device.counter = 0
  expect(await refusal(await finish(back.challenge_id, device.get(back.options, site)))).toEqual(
    failed,
  )
  const stranger = newAuthenticator()
  const unknown = await begin()
  expect(
    await refusal(await finish(unknown.challenge_id, stranger.get(unknown.options, site))),
  ).toEqual(failed)
  const posing = await begin()
  const forged = { ...stranger.get(posing.options, site), id: device.id, rawId: device.id }
  expect(await refusal(await finish(posing.challenge_id, forged))).toEqual(failed)
  const slow = await begin()
  device.counter = 100
  server.advance(301)
  expect(await refusal(await finish(slow.challenge_id, device.get(slow.options, site)))).toEqual([
    422,
    'webauthn_challenge_expired',
  ])
})

test('a banned user stays out, an account has so many keys, and the service key sees and takes them', async () => {
  const { client, id, device, passkey } = await registered()
  const admin = await passkeyClient(tenant.serviceKey)
  const listed = await admin.auth.admin.passkey.listPasskeys({ userId: id })
  expect(listed.data).toMatchObject([{ id: passkey }])
  const refused = await client.auth.admin.passkey.listPasskeys({ userId: id })
  expect(refused.error?.status).toBe(403)
  await tenant.sql(`update auth.users set banned_until = now() + interval '1 day' where id = $1`, [
    id,
  ])
  const begun = await begin()
  expect(await refusal(await finish(begun.challenge_id, device.get(begun.options, site)))).toEqual([
    400,
    'user_banned',
  ])
  await tenant.sql('update auth.users set banned_until = null where id = $1', [id])
  await tenant.sql(
    `insert into auth.webauthn_credentials (user_id, credential_id, public_key)
     select $1, sha256(n::text::bytea), '' from generate_series(1, 9) n`,
    [id],
  )
  expect((await client.auth.passkey.startRegistration()).error?.code).toBe('too_many_passkeys')
  expect(
    (await admin.auth.admin.passkey.deletePasskey({ userId: id, passkeyId: passkey })).error,
  ).toBeNull()
  const gone = await admin.auth.admin.passkey.deletePasskey({ userId: id, passkeyId: passkey })
  expect(gone.error?.code).toBe('webauthn_credential_not_found')
})
