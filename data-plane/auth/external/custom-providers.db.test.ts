import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSafeFetch } from '#kit/network/safe-fetch'
import { clientId, clientSecret, startWorld } from '../../testing/auth/external-oauth.ts'
import { startIssuer } from '../../testing/auth/id-token.ts'
import { refusal } from '../../testing/auth/mfa.ts'
import {
  carried,
  newBrowser,
  startOidcProvider,
  type TestProvider,
} from '../../testing/auth/oidc.ts'
import {
  newEmail,
  startAuthServer,
  type TestServer,
  type TestTenant,
} from '../../testing/auth/server.ts'

const site = 'http://localhost:3000'
let server: TestServer
let tenant: TestTenant
let provider: TestProvider

beforeAll(async () => {
  server = await startAuthServer({ fetch: createSafeFetch({ allowLoopback: true }) })
  provider = await startOidcProvider([`${server.origin}/custom/auth/v1/callback`])
  tenant = await server.tenant('custom')
})
afterAll(async () => {
  await server.close()
  await provider.close()
})

const admin = () => tenant.client(tenant.serviceKey).auth.admin.customProviders
const company = () => ({
  provider_type: 'oidc' as const,
  identifier: 'custom:company',
  name: 'Company',
  client_id: 'client',
  client_secret: 'client secret of the test',
  issuer: provider.issuer,
})
const start = (name: string) => tenant.call('GET', `/authorize?provider=${name}`)

test('only the service key names providers, and only ones that can be', async () => {
  expect((await tenant.client().auth.admin.customProviders.listProviders()).error?.status).toBe(403)
  expect(await refusal(await tenant.call('GET', '/admin/custom-providers'))).toEqual([
    401,
    'no_authorization',
  ])
  expect((await admin().getProvider('custom:none')).error?.code).toBe('custom_provider_not_found')
  expect((await admin().deleteProvider('custom:none')).error?.code).toBe(
    'custom_provider_not_found',
  )
  const wrong: object[] = [
    { identifier: 'custom:' },
    { identifier: 'sso:x' },
    { issuer: undefined },
    { issuer: 'javascript:alert(1)' },
    { issuer: `${provider.issuer}/elsewhere` },
    { provider_type: 'oauth2' },
    { provider_type: 'saml' },
    { attribute_mapping: { sub: 'id' } },
    { client_secret: '' },
  ]
  for (const more of wrong) {
    const refused = await admin().createProvider({ ...company(), ...more })
    expect(refused.error?.code, JSON.stringify(more)).toBe('validation_failed')
  }
  expect(await refusal(await start('custom:company'))).toEqual([400, 'validation_failed'])
})

test('an address of the inner network is not asked, neither when it is named nor later', async () => {
  let connections = 0
  const inner = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  await new Promise<void>((done) => void inner.listen(0, '127.0.0.1', done))
  const address = inner.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const careful = await startAuthServer()
  const other = await careful.tenant('careful')
  const api = other.client(other.serviceKey).auth.admin.customProviders
  for (const issuer of [
    `https://127.0.0.1:${port}`,
    `http://127.0.0.1:${port}`,
    `https://localhost:${port}`,
    'https://169.254.169.254',
    'https://[::1]',
  ]) {
    expect((await api.createProvider({ ...company(), issuer })).error?.code, issuer).toBe(
      'validation_failed',
    )
  }
  const at = (path: string) => `https://127.0.0.1:${port}${path}`
  const made = await api.createProvider({
    ...company(),
    provider_type: 'oauth2',
    authorization_url: 'https://login.example.com/',
    token_url: at('/token'),
    userinfo_url: at('/me'),
  })
  expect(made.error).toBeNull()
  const begun = await other.call('GET', '/authorize?provider=custom:company')
  const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state') ?? ''
  const landed = await other.call('GET', `/callback?code=x&state=${state}`)
  expect(carried(new URL(landed.headers.get('location') ?? '')).get('error_code')).toBe(
    'bad_oauth_callback',
  )
  expect(connections).toBe(0)
  await careful.close()
  await new Promise<void>((done) => void inner.close(() => done()))
})

test('people sign in with a provider of OpenID Connect; its secret never comes back', async () => {
  const made = await admin().createProvider({
    ...company(),
    authorization_params: { prompt: 'login' },
  })
  expect(made.error).toBeNull()
  expect(made.data).toMatchObject({
    identifier: 'custom:company',
    enabled: true,
    pkce_enabled: true,
  })
  expect(JSON.stringify(made.data)).not.toContain('secret of the test')
  expect((await admin().createProvider(company())).error?.code).toBe('conflict')
  const stored = await tenant.sql(
    'select sealed_client_secret as s from auth.custom_oauth_providers',
  )
  expect(stored[0]?.['s']).toMatch(/^v1\./)
  const url = new URL((await start('custom:company')).headers.get('location') ?? '')
  expect(url.searchParams.get('prompt')).toBe('login')

  await admin().updateProvider('custom:company', { authorization_params: {}, name: 'The company' })
  const email = newEmail()
  provider.account = { sub: 'employee', email, email_verified: true, name: 'Ada' }
  const landing = await newBrowser().follow(
    `${tenant.externalUrl}/authorize?provider=custom:company`,
    site,
  )
  const { data } = await tenant.client().auth.getUser(carried(landing).get('access_token') ?? '')
  expect(data.user).toMatchObject({
    email,
    app_metadata: { provider: 'custom:company' },
    identities: [{ provider: 'custom:company', id: 'employee' }],
  })
  await admin().updateProvider('custom:company', { enabled: false })
  expect(await refusal(await start('custom:company'))).toEqual([400, 'validation_failed'])
  expect((await admin().listProviders({ type: 'oauth2' })).data.providers).toEqual([])
  expect((await admin().listProviders()).data.providers).toMatchObject([{ name: 'The company' }])
  expect((await admin().deleteProvider('custom:company')).error).toBeNull()
})

test('tokens that apps got at a provider of OpenID Connect are taken, for the clients that are named', async () => {
  const issuer = await startIssuer()
  const more = { identifier: 'tokens', issuer: issuer.issuer, acceptable_client_ids: ['phone'] }
  expect((await admin().createProvider({ ...company(), ...more })).error).toBeNull()
  const claims = { sub: 's', email: newEmail(), email_verified: true }
  const show = async (aud: string) => {
    const token = await issuer.token({ ...claims, aud })
    return tenant.client().auth.signInWithIdToken({ provider: 'custom:tokens', token })
  }
  expect((await show('other')).error?.code).toBe('unexpected_audience')
  expect((await show('phone')).data.user?.email).toBe(claims.email)
  await issuer.close()
})

test('people sign in with a provider of OAuth 2, by the names that it has for things', async () => {
  const world = await startWorld()
  const local = (path: string) => world.local(`https://login.example.com${path}`)
  const email = newEmail()
  world.now = {
    authorize: 'https://login.example.com/authorize',
    token: 'https://login.example.com/token',
    client: 'post',
    pkce: true,
    reads: {
      'https://login.example.com/me': { data: { uid: 7, mail: email, ok: 'true', nick: 'ada' } },
    },
  }
  const made = await admin().createProvider({
    provider_type: 'oauth2',
    identifier: 'custom:odd',
    name: 'Odd',
    client_id: clientId,
    client_secret: clientSecret,
    scopes: ['me'],
    authorization_url: local('/authorize'),
    token_url: local('/token'),
    userinfo_url: local('/me'),
    attribute_mapping: {
      sub: 'data.uid',
      email: 'data.mail',
      email_verified: 'data.ok',
      name: 'data.nick',
    },
  })
  expect(made.error).toBeNull()
  const landing = await newBrowser().follow(
    `${tenant.externalUrl}/authorize?provider=custom:odd`,
    site,
  )
  const { data } = await tenant.client().auth.getUser(carried(landing).get('access_token') ?? '')
  expect(data.user?.identities).toMatchObject([
    { provider: 'custom:odd', id: '7', identity_data: { email, full_name: 'ada' } },
  ])
  await world.close()
})
