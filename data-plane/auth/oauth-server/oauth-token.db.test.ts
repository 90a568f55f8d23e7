import { generateKeyPairSync } from 'node:crypto'
import * as openid from 'openid-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ServedSigningKey } from '#contract/internal'
import { keySetOfKeys } from '#kit/jwt-key-set'
import { mfaTesting, refusal, tokenOf } from '../../testing/auth/mfa.ts'
import {
  challengeFor,
  located,
  oauthError,
  redirectUri,
  startOauth,
  verifier,
} from '../../testing/auth/oauth.ts'
import type { TestTenant } from '../../testing/auth/server.ts'

let oauth: Awaited<ReturnType<typeof startOauth>>
let tenant: TestTenant
let tools: ReturnType<typeof mfaTesting>

beforeAll(async () => {
  oauth = await startOauth()
  tenant = oauth.tenant
  tools = mfaTesting(oauth.server, tenant)
})
afterAll(() => oauth.server.close())

type Tokens = { access_token: string; refresh_token: string; scope: string }

test('a code is worth something to its app alone, with the verifier, at its address, for a while', async () => {
  const who = await oauth.person()
  const other = await oauth.register({ client_name: 'Other' })
  const code = await oauth.codeOf(who)
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  }
  const grant = [400, 'invalid_grant']
  expect(await oauthError(await oauth.trade(form, 'wrong'))).toEqual([401, 'invalid_client'])
  expect(
    await oauthError(await oauth.trade({ ...form, client_id: oauth.client.client_id }, '')),
  ).toEqual([401, 'invalid_client'])
  const posted = {
    ...form,
    client_id: oauth.client.client_id,
    client_secret: oauth.client.client_secret ?? '',
  }
  expect(await oauthError(await oauth.trade(posted, ''))).toEqual([401, 'invalid_client'])
  expect(await oauthError(await oauth.trade(form, other.client_secret, other.client_id))).toEqual(
    grant,
  )
  expect(await oauthError(await oauth.redeem(code, { code_verifier: 'w'.repeat(50) }))).toEqual(
    grant,
  )
  expect(await oauthError(await oauth.redeem(code, { code_verifier: '' }))).toEqual(grant)
  expect(await oauthError(await oauth.redeem(code, { redirect_uri: `${redirectUri}/` }))).toEqual(
    grant,
  )
  expect(await oauthError(await oauth.redeem(code, { grant_type: 'password' }))).toEqual([
    400,
    'unsupported_grant_type',
  ])
  const [row] = await tenant.sql(
    'select authorization_code from auth.oauth_authorizations where status = $1',
    ['approved'],
  )
  expect(row?.['authorization_code']).not.toBe(code)
  oauth.server.advance(301)
  expect(await oauthError(await oauth.redeem(code))).toEqual(grant)
})

test('a code that comes twice ends what it led to', async () => {
  const who = await oauth.person()
  const code = await oauth.codeOf(who)
  const first = (await (await oauth.redeem(code)).json()) as Tokens
  const userinfo = () =>
    tenant.call('GET', '/oauth/userinfo', undefined, {
      authorization: `Bearer ${first.access_token}`,
    })
  expect((await userinfo()).status).toBe(200)
  expect(await oauthError(await oauth.redeem(code))).toEqual([400, 'invalid_grant'])
  expect(await refusal(await userinfo())).toEqual([403, 'session_not_found'])
  expect(
    await oauthError(
      await oauth.trade({ grant_type: 'refresh_token', refresh_token: first.refresh_token }),
    ),
  ).toEqual([400, 'invalid_grant'])
})

test('an app reads who the person is and nothing more, and only itself renews its tokens', async () => {
  const who = await oauth.person()
  const tokens = (await (
    await oauth.redeem(await oauth.codeOf(who, { scope: 'email' }))
  ).json()) as Tokens
  expect(tokens.scope).toBe('email')
  const claims = (await tenant.client().auth.getClaims(tokens.access_token)).data?.claims
  expect(claims).toMatchObject({
    client_id: oauth.client.client_id,
    scope: 'email',
    role: 'authenticated',
  })
  const own = await tenant.client().auth.getUser(tokens.access_token)
  expect(own.data.user?.id).toBe((await who.auth.getUser()).data.user?.id)
  const as = (method: string, path: string, body?: object) =>
    tools.as(tokens.access_token, method, path, body)
  const me = (await (await as('GET', '/oauth/userinfo')).json()) as object
  expect(Object.keys(me).toSorted()).toEqual(['email', 'email_verified', 'sub'])
  const never: [string, string, object?][] = [
    ['PUT', '/user', { password: 'another password 2' }],
    ['POST', '/factors', { factor_type: 'totp' }],
    ['POST', `/oauth/authorizations/${await oauth.asked()}/consent`, { action: 'approve' }],
    ['GET', '/user/oauth/grants'],
    ['POST', '/passkeys/registration/options', {}],
  ]
  for (const [method, path, body] of never) {
    expect(await refusal(await as(method, path, body)), path).toEqual([
      403,
      'oauth_client_not_allowed',
    ])
  }
  const plain = await tenant.call('POST', '/token?grant_type=refresh_token', {
    refresh_token: tokens.refresh_token,
  })
  expect(await refusal(plain)).toEqual([400, 'refresh_token_not_found'])
  const other = await oauth.register({ client_name: 'Thief' })
  const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
  expect(await oauthError(await oauth.trade(form, other.client_secret, other.client_id))).toEqual([
    400,
    'invalid_grant',
  ])
  const mine = (await who.auth.getSession()).data.session?.refresh_token ?? ''
  expect(await oauthError(await oauth.trade({ ...form, refresh_token: mine }))).toEqual([
    400,
    'invalid_grant',
  ])
  const renewed = (await (await oauth.trade(form)).json()) as Tokens
  expect(renewed.scope).toBe('email')
})

test('who agreed before is not asked again, sees it, and can take it back', async () => {
  const who = await oauth.person()
  const tokens = (await (await oauth.redeem(await oauth.codeOf(who))).json()) as Tokens
  const again = await who.auth.oauth.getAuthorizationDetails(await oauth.asked({ scope: 'email' }))
  expect(again.data).toHaveProperty('redirect_url')
  const more = await who.auth.oauth.getAuthorizationDetails(
    await oauth.asked({ scope: 'email phone' }),
  )
  expect(more.data).toHaveProperty('authorization_id')
  const { data: grants } = await who.auth.oauth.listGrants()
  expect(grants).toMatchObject([
    { client: { id: oauth.client.client_id, name: 'App' }, scopes: ['email', 'profile'] },
  ])
  expect((await who.auth.oauth.revokeGrant({ clientId: oauth.client.client_id })).error).toBeNull()
  expect((await who.auth.oauth.listGrants()).data).toEqual([])
  const gone = await who.auth.oauth.revokeGrant({ clientId: oauth.client.client_id })
  expect(gone.error?.code).toBe('oauth_consent_not_found')
  expect(await refusal(await tools.as(tokens.access_token, 'GET', '/user'))).toEqual([
    403,
    'session_not_found',
  ])
  expect(await tokenOf(who)).toBeTruthy()
})

test.each([
  ['a shared secret', 'email profile'],
  ['a key whose public half everybody knows', 'openid email'],
])(
  'an app that knows nothing but the address signs people in, where tokens are signed by %s',
  async (_, scope) => {
    const app = await oauth.register({ token_endpoint_auth_method: 'none' })
    const { jwt } = tenant
    if (scope.includes('openid')) tenant.jwt = { ...jwt, keySet: keySetOfKeys([newKey()]) }
    const config = await openid.discovery(
      new URL(tenant.externalUrl),
      app.client_id,
      undefined,
      openid.None(),
      { execute: [openid.allowInsecureRequests] },
    )
    const state = openid.randomState()
    const nonce = openid.randomNonce()
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope,
      state,
      nonce,
      code_challenge: await challengeFor(),
      code_challenge_method: 'S256',
    })
    const page = located(await fetch(url, { redirect: 'manual' }))
    const who = await oauth.person()
    const id = page.searchParams.get('authorization_id') ?? ''
    const { data } = await who.auth.oauth.approveAuthorization(id)
    const tokens = await openid.authorizationCodeGrant(config, new URL(data?.redirect_url ?? ''), {
      pkceCodeVerifier: verifier,
      expectedState: state,
      ...(scope.includes('openid') && { expectedNonce: nonce, idTokenExpected: true }),
    })
    const { data: user } = await who.auth.getUser()
    expect(tokens.claims()?.sub).toBe(scope.includes('openid') ? user.user?.id : undefined)
    const info = await openid.fetchUserInfo(config, tokens.access_token, user.user?.id ?? '')
    expect(info.email).toBe(user.user?.email)
    const renewed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '')
    expect(renewed.refresh_token).not.toBe(tokens.refresh_token)
    tenant.jwt = jwt
  },
)

function newKey(): ServedSigningKey {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = { ...privateKey.export({ format: 'jwk' }) }
  return { kid: crypto.randomUUID(), algorithm: 'ES256', status: 'in_use', jwk }
}
