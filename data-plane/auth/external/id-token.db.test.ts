import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ExternalProvider } from './external-providers.ts'
import { halfHashed, hashed, startIssuer } from '../../testing/auth/id-token.ts'
import { refusal, tokenOf } from '../../testing/auth/mfa.ts'
import {
  newEmail,
  password,
  startAuthServer,
  type TestServer,
  type TestTenant,
} from '../../testing/auth/server.ts'

let server: TestServer
let tenant: TestTenant
let provider: Awaited<ReturnType<typeof startIssuer>>

const configured = (more: object = {}): ExternalProvider => ({
  kind: 'oidc',
  name: 'google',
  label: 'Google',
  issuer: provider.issuer,
  scopes: ['openid'],
  clientId: 'client',
  clientSecret: '',
  clientIds: ['ios app'],
  ...more,
})

beforeAll(async () => {
  server = await startAuthServer()
  provider = await startIssuer()
  tenant = await server.tenant('tokens', { external: [configured()] })
})
afterAll(async () => {
  await server.close()
  await provider.close()
})

let counter = 0
const claimsOf = (more: object = {}) => {
  counter += 1
  return { sub: `person ${counter}`, email: newEmail(), email_verified: true, name: 'Ada', ...more }
}
const present = (body: object, headers?: Record<string, string>) =>
  tenant.call('POST', '/token?grant_type=id_token', { provider: 'google', ...body }, headers)
const users = async () => (await tenant.sql('select count(*)::int as n from auth.users'))[0]?.['n']

test('what is no token is refused before the provider is asked for anything', async () => {
  const away = await server.tenant('away', {
    external: [{ ...configured(), issuer: 'http://127.0.0.1:9' } as ExternalProvider],
  })
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const ask = (id_token: string) =>
    away.call('POST', '/token?grant_type=id_token', { provider: 'google', id_token })
  for (const id_token of [
    'x',
    'a.b.c',
    'é.é.é',
    `${part({ alg: 'RS256' })}.x.x`,
    `${part({ alg: 'none' })}.${part({ iss: 'http://127.0.0.1:9' })}.`,
    `${part({ alg: 'HS256' })}.${part({ iss: 'http://127.0.0.1:9' })}.x`,
    `${part({ alg: 'RS256' })}.${part({ iss: 1 })}.x`,
    `${part({ alg: ['RS256'] })}.${part({ iss: 'a' })}.x`,
    `${part({ alg: 'RS256' })}.${part([])}.x`,
  ])
    expect(await refusal(await ask(id_token)), id_token).toEqual([400, 'bad_jwt'])
  const looks = `${part({ alg: 'RS256' })}.${part({ iss: 'http://127.0.0.1:9' })}.x`
  expect((await refusal(await ask(looks)))[1]).toBe('provider_unreachable')
})

test('requests without token or provider, and providers that are not on, are refused', async () => {
  const id_token = await provider.token(claimsOf())
  expect(await refusal(await present({}))).toEqual([400, 'validation_failed'])
  expect(await refusal(await present({ provider: '', id_token }))).toEqual([
    400,
    'validation_failed',
  ])
  for (const name of ['apple', 'github', 'sso:1', 'constructor']) {
    expect(await refusal(await present({ provider: name, id_token })), name).toEqual([
      400,
      'provider_disabled',
    ])
  }
  const byIssuer = { provider: undefined, issuer: 'https://evil.example', id_token }
  expect(await refusal(await present(byIssuer))).toEqual([400, 'provider_disabled'])
})

test('a token that the provider did not sign for us is refused, whatever is wrong with it', async () => {
  const before = await users()
  const claims = claimsOf()
  const past = Math.floor(Date.now() / 1000) - 3600
  const bad: [string, string, string][] = [
    ['no token', 'abc', 'bad_jwt'],
    ['without signature', await provider.unsigned(claims), 'bad_jwt'],
    ['signed with the public key as a secret', await provider.byPublicKey(claims), 'bad_jwt'],
    ['signed by another key', await provider.byOther(claims), 'bad_jwt'],
    ['naming an unknown key', await provider.token(claims, { kid: 'two' }), 'bad_jwt'],
    [
      'of another issuer',
      await provider.token({ ...claims, iss: 'https://evil.example' }),
      'bad_jwt',
    ],
    ['over', await provider.token({ ...claims, iat: past, exp: past + 60 }), 'bad_jwt'],
    ['without end', await provider.token({ ...claims, exp: undefined }), 'bad_jwt'],
    ['for nobody', await provider.token({ ...claims, aud: undefined }), 'bad_jwt'],
    ['of nobody', await provider.token({ ...claims, sub: '' }), 'bad_jwt'],
    [
      'for another client',
      await provider.token({ ...claims, aud: 'other' }),
      'unexpected_audience',
    ],
    [
      'asked for by another',
      await provider.token({ ...claims, aud: ['client', 'x'], azp: 'x' }),
      'unexpected_audience',
    ],
  ]
  for (const [what, id_token, code] of bad) {
    expect(await refusal(await present({ id_token })), what).toEqual([400, code])
  }
  const unverified = await provider.token(claimsOf({ email_verified: false }))
  expect(await refusal(await present({ id_token: unverified }))).toEqual([
    403,
    'provider_email_needs_verification',
  ])
  // Of all these only this one makes an account, which waits for its mail.
  const waiting = await tenant.sql('select 1 from auth.users where email_confirmed_at is null')
  expect(waiting).toHaveLength(1)
  expect(await users()).toBe(Number(before) + 1)
})

test('the nonce has to be the one of the token, and an access token the one it was issued with', async () => {
  const id_token = await provider.token(claimsOf({ nonce: hashed('made by the app') }))
  expect(await refusal(await present({ id_token }))).toEqual([400, 'validation_failed'])
  expect(await refusal(await present({ id_token, nonce: 'another' }))).toEqual([
    400,
    'validation_failed',
  ])
  const hash = hashed('made by the app')
  expect(await refusal(await present({ id_token, nonce: hash }))).toEqual([
    400,
    'validation_failed',
  ])
  const bare = await provider.token(claimsOf())
  expect(await refusal(await present({ id_token: bare, nonce: 'x' }))).toEqual([
    400,
    'validation_failed',
  ])
  expect((await present({ id_token, nonce: 'made by the app' })).status).toBe(200)
  const bound = await provider.token(claimsOf({ at_hash: halfHashed('access') }))
  const foreign = await present({ id_token: bound, access_token: 'of somebody else' })
  expect(await refusal(foreign)).toEqual([400, 'bad_jwt'])
  expect((await present({ id_token: bound, access_token: 'access' })).status).toBe(200)
})

test('a tenant can do without the check of the nonce', async () => {
  const config = tenant.config
  tenant.config = { ...config, external: [configured({ skipNonce: true })] }
  const id_token = await provider.token(claimsOf({ nonce: 'unknown to the app' }))
  expect((await present({ id_token })).status).toBe(200)
  tenant.config = config
})

test('the unmodified client signs in, the next time to the same account', async () => {
  const claims = claimsOf({ aud: 'ios app' })
  const signIn = async () => {
    const client = tenant.client()
    const token = await provider.token(claims)
    const { data, error } = await client.auth.signInWithIdToken({ provider: 'google', token })
    expect(error).toBeNull()
    return { client, user: data.user }
  }
  const { client, user } = await signIn()
  expect(user).toMatchObject({
    email: claims.email,
    app_metadata: { provider: 'google', providers: ['google'] },
    user_metadata: { full_name: 'Ada', iss: provider.issuer },
  })
  expect((await client.auth.getClaims()).data?.claims.amr).toMatchObject([{ method: 'oauth' }])
  expect((await signIn()).user?.id).toBe(user?.id)
  const byIssuer = {
    provider: undefined,
    issuer: provider.issuer,
    id_token: await provider.token(claims),
  }
  expect((await present(byIssuer)).status).toBe(200)
})

test('somebody who is signed in can add the identity, where linking is on', async () => {
  const client = tenant.client()
  const config = tenant.config
  tenant.config = { ...config, mailerAutoconfirm: true }
  await client.auth.signUp({ email: newEmail(), password })
  const token = await provider.token(claimsOf({ email: 'elsewhere@example.com' }))
  const body = { id_token: token, link_identity: true }
  expect(await refusal(await present(body))).toEqual([401, 'no_authorization'])
  const bearer = { authorization: `Bearer ${await tokenOf(client)}` }
  expect(await refusal(await present(body, bearer))).toEqual([404, 'manual_linking_disabled'])
  tenant.config = { ...tenant.config, manualLinking: true }
  const { data } = await client.auth.linkIdentity({ provider: 'google', token })
  const providers = data.user?.identities?.map((identity) => identity.provider) ?? []
  expect(providers.toSorted()).toEqual(['email', 'google'])
  expect(await refusal(await present(body, bearer))).toEqual([422, 'identity_already_exists'])
  tenant.config = config
})

test('keys that cannot be had are not the fault of who asks, and too many who ask have to wait', async () => {
  const away = await startIssuer()
  away.isAway = true
  const { config } = tenant
  const limits = { ...config.rateLimits, token: { points: 2, seconds: 60 } }
  tenant.config = { ...config, external: [configured({ issuer: away.issuer })], rateLimits: limits }
  const body = { id_token: await away.token(claimsOf()) }
  expect(await refusal(await present(body))).toEqual([503, 'provider_unreachable'])
  away.isAway = false
  expect((await present(body)).status).toBe(200)
  expect(await refusal(await present(body))).toEqual([429, 'over_request_rate_limit'])
  tenant.config = config
  await away.close()
})
