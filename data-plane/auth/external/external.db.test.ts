import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  carried,
  newBrowser,
  oidcOf,
  startOidcProvider,
  type TestProvider,
} from '../../testing/auth/oidc.ts'
import {
  lastMail,
  password,
  newEmail,
  startAuthServer,
  type TestServer,
  type TestTenant,
} from '../../testing/auth/server.ts'

const site = 'http://localhost:3000'
let server: TestServer
let provider: TestProvider
let tenant: TestTenant

beforeAll(async () => {
  server = await startAuthServer()
  provider = await startOidcProvider([`${server.origin}/ext/auth/v1/callback`])
  tenant = await server.tenant('ext', { external: [oidcOf(provider)] })
})
afterAll(async () => {
  await server.close()
  await provider.close()
})

let counter = 0
/** Signs in at the provider as somebody with this address there. */
function person(email: string, more: object = {}) {
  counter += 1
  const account = { sub: `sub-${counter}`, email, email_verified: true, name: 'Ada', ...more }
  provider.account = account
  return account
}
const start = (more = '') => `${tenant.externalUrl}/authorize?provider=example${more}`
const signIn = async () => carried(await newBrowser().follow(start(), site))
const userOf = async (values: URLSearchParams) => {
  const { data } = await tenant.client().auth.getUser(values.get('access_token') ?? '')
  return data.user
}

test('the settings say what is on, and what is off is refused', async () => {
  const settings = await (await tenant.call('GET', '/settings')).json()
  expect(settings).toMatchObject({
    external: { example: true, github: false },
    external_labels: { example: 'Example' },
  })
  const off = await tenant.call('GET', '/authorize?provider=github')
  expect(off.status).toBe(400)
  expect(await off.json()).toMatchObject({
    error_code: 'validation_failed',
    msg: 'Unsupported provider: provider is not enabled',
  })
  expect((await tenant.call('GET', '/authorize')).status).toBe(400)
  expect((await tenant.call('GET', `/authorize?provider=example&scopes=%0a`)).status).toBe(400)
  const half = await tenant.call('GET', '/authorize?provider=example&code_challenge=abc')
  expect(half.status).toBe(400)
})

test('a newcomer gets an account, and the same one again', async () => {
  const { sub, email } = person(newEmail())
  const values = await signIn()
  expect(values.get('token_type')).toBe('bearer')
  expect(values.get('provider_token')).toBeTruthy()
  const user = await userOf(values)
  expect(user).toMatchObject({
    email,
    app_metadata: { provider: 'example', providers: ['example'] },
    user_metadata: { full_name: 'Ada', email_verified: true, sub },
    identities: [{ provider: 'example', id: sub, identity_data: { email, sub } }],
  })
  expect(user?.email_confirmed_at).toBeTruthy()
  expect((await userOf(await signIn()))?.id).toBe(user?.id)
})

test('the unmodified client signs in by PKCE and gets the tokens of the provider once', async () => {
  const { email } = person(newEmail())
  const client = tenant.client(undefined, 'pkce')
  const { data } = await client.auth.signInWithOAuth({
    provider: 'example' as 'github', // any name of the tenant's own is sent as it is
    options: { redirectTo: `${site}/welcome`, skipBrowserRedirect: true },
  })
  const landing = await newBrowser().follow(data.url ?? '', site)
  expect(landing.pathname).toBe('/welcome')
  const code = landing.searchParams.get('code') ?? ''
  const stored = await tenant.sql(`select provider_access_token from auth.flow_state`)
  expect(stored.map((row) => String(row['provider_access_token']).slice(0, 3))).toContain('v1.')
  const exchanged = await client.auth.exchangeCodeForSession(code)
  expect(exchanged.data.user?.email).toBe(email)
  expect(exchanged.data.session?.provider_token).toBeTruthy()
  const claims = await client.auth.getClaims()
  expect(claims.data?.claims.amr).toMatchObject([{ method: 'oauth' }])
  const again = await tenant.call('POST', '/token?grant_type=pkce', {
    auth_code: code,
    code_verifier: 'x'.repeat(43),
  })
  expect(again.status).toBe(404)
})

test('a code is worth nothing without the verifier of its client', async () => {
  person(newEmail())
  const challenge = `&code_challenge=${'A'.repeat(43)}&code_challenge_method=s256`
  const landing = await newBrowser().follow(start(challenge), site)
  const answer = await tenant.call('POST', '/token?grant_type=pkce', {
    auth_code: landing.searchParams.get('code'),
    code_verifier: 'B'.repeat(43),
  })
  expect(await answer.json()).toMatchObject({ error_code: 'bad_code_verifier' })
})

test('a verified address joins the confirmed account that has it', async () => {
  const email = newEmail()
  const client = tenant.client()
  const { data } = await client.auth.admin.createUser.call(
    tenant.client(tenant.serviceKey).auth.admin,
    { email, password, email_confirm: true },
  )
  person(email.toUpperCase())
  const user = await userOf(await signIn())
  expect(user?.id).toBe(data.user?.id)
  expect(user?.app_metadata).toMatchObject({ provider: 'email', providers: ['email', 'example'] })
  expect((await client.auth.signInWithPassword({ email, password })).error).toBeNull()
})

test.each([
  ['an unverified address', { email_verified: false }],
  ['an address nobody says is verified', { email_verified: undefined }],
  ['no address', { email: undefined }],
  ['an address that is none', { email: 'not an address' }],
])('%s neither joins nor makes an account', async (_, more) => {
  const email = newEmail()
  await tenant.client().auth.signUp({ email, password })
  person(email, more)
  const values = await signIn()
  expect(values.get('error_code')).toBe('provider_email_needs_verification')
  expect(values.get('access_token')).toBeNull()
  const rows = await tenant.sql('select provider from auth.identities where email = $1', [email])
  expect(rows).toEqual([{ provider: 'email' }])
})

test('who prepared an account with a stranger’s address loses it when the owner comes', async () => {
  const email = newEmail()
  const thief = tenant.client()
  await thief.auth.signUp({ email, password, options: { data: { trap: true } } })
  person(email)
  const owner = await userOf(await signIn())
  expect(owner).toMatchObject({ email, app_metadata: { providers: ['example'] } })
  expect(owner?.user_metadata).not.toHaveProperty('trap')
  expect((await thief.auth.signInWithPassword({ email, password })).error?.code).toBe(
    'invalid_credentials',
  )
  const link = await tenant.sql('select 1 from auth.one_time_tokens where user_id = $1', [
    owner?.id,
  ])
  expect(link).toEqual([])
})

test('where addresses are confirmed without proof, an account is joined once a mail proved it', async () => {
  const email = newEmail()
  tenant.config = { ...tenant.config, mailerAutoconfirm: true }
  await tenant.client().auth.signUp({ email, password })
  tenant.config = { ...tenant.config, mailerAutoconfirm: false }
  person(email)
  expect((await signIn()).get('error_code')).toBe('user_already_exists')
  await tenant.client().auth.signInWithOtp({ email })
  const token = lastMail(tenant, email).otp
  await tenant.client().auth.verifyOtp({ email, token, type: 'email' })
  expect((await userOf(await signIn()))?.app_metadata['providers']).toEqual(['email', 'example'])
})

test('banned people and closed sign-ups are refused', async () => {
  const { email } = person(newEmail())
  const user = await userOf(await signIn())
  const admin = tenant.client(tenant.serviceKey).auth.admin
  await admin.updateUserById(user?.id ?? '', { ban_duration: '1h' })
  expect((await signIn()).get('error_code')).toBe('user_banned')
  expect(email).toBe(user?.email)
  const closed = { ...tenant.config, disableSignup: true }
  const open = tenant.config
  tenant.config = closed
  try {
    person(newEmail())
    expect((await signIn()).get('error_code')).toBe('signup_disabled')
  } finally {
    tenant.config = open
  }
})

test('a provider that does not answer is told apart', async () => {
  const gone = oidcOf({ issuer: 'http://127.0.0.1:9' }, 'gone')
  const lonely = await server.tenant('lonely', { external: [gone] })
  const answer = await lonely.call('GET', '/authorize?provider=gone')
  expect(answer.status).toBe(503)
  expect(await answer.json()).toMatchObject({ error_code: 'provider_unreachable' })
})
