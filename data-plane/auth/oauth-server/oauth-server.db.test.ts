import { afterAll, beforeAll, expect, test } from 'vitest'
import { mfaTesting, refusal } from '../../testing/auth/mfa.ts'
import { located, oauthError, redirectUri, startOauth } from '../../testing/auth/oauth.ts'
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

test('where it is off there is nothing, and apps cannot register themselves unless they may', async () => {
  const { config } = tenant
  const body = { client_name: 'X', redirect_uris: [redirectUri] }
  const off = [403, 'oauth_dynamic_client_registration_disabled']
  expect(await refusal(await tenant.call('POST', '/oauth/clients/register', body))).toEqual(off)
  tenant.config = { ...config, oauthServer: null }
  const gone = [404, 'feature_disabled']
  expect(await refusal(await oauth.ask())).toEqual(gone)
  expect(await refusal(await oauth.trade({}))).toEqual(gone)
  expect(await refusal(await tenant.call('POST', '/oauth/clients/register', body))).toEqual(gone)
  expect(
    await refusal(await tenant.call('GET', '/.well-known/oauth-authorization-server')),
  ).toEqual(gone)
  tenant.config = { ...config, oauthServer: { dynamicRegistration: true, authorizationPath: '/x' } }
  const made = await tenant.call('POST', '/oauth/clients/register', {
    ...body,
    token_endpoint_auth_method: 'none',
  })
  expect(made.status).toBe(201)
  const json: unknown = await made.json()
  expect(json).toMatchObject({ client_type: 'public', registration_type: 'dynamic' })
  expect(json).not.toHaveProperty('client_secret')
  for (const uri of [
    'http://evil.example',
    'javascript:alert(1)',
    'https://a.example/#x',
    'x',
    'https://*.a.example',
  ]) {
    const refused = await tenant.call('POST', '/oauth/clients/register', {
      ...body,
      redirect_uris: [uri],
    })
    expect(await refusal(refused), uri).toEqual([400, 'validation_failed'])
  }
  tenant.config = config
})

test('only the service key manages apps; the unmodified client does so', async () => {
  expect((await tenant.client().auth.admin.oauth.listClients()).error?.status).toBe(403)
  const missing = await oauth.admin().getClient(crypto.randomUUID())
  expect(missing.error?.code).toBe('oauth_client_not_found')
  const made = await oauth.register({ client_name: 'Other' })
  expect(made.client_secret).toMatch(/^[\w-]{43}$/)
  const changed = await oauth.admin().updateClient(made.client_id, { client_name: 'New name' })
  expect(changed.data).toMatchObject({ client_name: 'New name', redirect_uris: [redirectUri] })
  expect(changed.data).not.toHaveProperty('client_secret')
  const fresh = await oauth.admin().regenerateClientSecret(made.client_id)
  expect(fresh.data?.client_secret).not.toBe(made.client_secret)
  const [row] = await tenant.sql(
    'select client_secret_hash from auth.oauth_clients where id = $1',
    [made.client_id],
  )
  expect(row?.['client_secret_hash']).not.toContain(fresh.data?.client_secret)
  expect((await oauth.admin().listClients()).data.clients.map((one) => one.client_id)).toContain(
    made.client_id,
  )
  expect((await oauth.admin().deleteClient(made.client_id)).error).toBeNull()
  expect((await oauth.admin().getClient(made.client_id)).error?.code).toBe('oauth_client_not_found')
})

test('nobody is led to an address that the app did not register, not even one that begins like it', async () => {
  const strange = [
    '',
    `${redirectUri}/more`,
    `${redirectUri}?x=1`,
    'https://app.example.com',
    'https://evil.example',
    `${redirectUri}.evil.example`,
  ]
  for (const redirect_uri of strange) {
    expect(await oauthError(await oauth.ask({ redirect_uri })), redirect_uri).toEqual([
      400,
      'invalid_request',
    ])
  }
  for (const client_id of ['', 'x', '-'.repeat(36), crypto.randomUUID()]) {
    expect(await oauthError(await oauth.ask({ client_id }))).toEqual([400, 'invalid_request'])
  }
  const wrong: [Record<string, string>, string][] = [
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ code_challenge: '' }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ scope: 'email admin' }, 'invalid_scope'],
    // Signed with a shared secret, an ID token would be worth nothing to an app.
    [{ scope: 'openid' }, 'invalid_scope'],
  ]
  for (const [more, error] of wrong) {
    const answer = located(await oauth.ask(more))
    expect(answer.origin + answer.pathname).toBe(redirectUri)
    expect(Object.fromEntries(answer.searchParams)).toMatchObject({ error, state: 's t' })
  }
})

test('the person is asked, and their answer goes to the app', async () => {
  const who = await oauth.person()
  const page = located(await oauth.ask())
  expect(page.href).toMatch(/^http:\/\/localhost:3000\/oauth\/consent\?authorization_id=[\w-]{32}$/)
  const id = page.searchParams.get('authorization_id') ?? ''
  expect(await refusal(await tenant.call('GET', `/oauth/authorizations/${id}`))).toEqual([
    401,
    'no_authorization',
  ])
  const shown = await who.auth.oauth.getAuthorizationDetails(id)
  expect(shown.data).toMatchObject({
    authorization_id: id,
    redirect_uri: redirectUri,
    client: { id: oauth.client.client_id, name: 'App' },
    scope: 'email profile',
  })
  const stranger = await oauth.person()
  const foreign = await stranger.auth.oauth.approveAuthorization(id)
  expect(foreign.error?.code).toBe('oauth_authorization_not_found')
  const denied = await who.auth.oauth.denyAuthorization(id)
  const back = new URL(denied.data?.redirect_url ?? '')
  expect(Object.fromEntries(back.searchParams)).toMatchObject({
    error: 'access_denied',
    state: 's t',
  })
  const late = await who.auth.oauth.approveAuthorization(id)
  expect(late.error?.code).toBe('oauth_authorization_not_found')
  const old = await oauth.asked()
  oauth.server.advance(601)
  expect((await who.auth.oauth.approveAuthorization(old)).error?.code).toBe(
    'oauth_authorization_expired',
  )
  const { email } = await tools.protectedUser()
  const half = await (
    await tools.signedIn(email)
  ).auth.oauth.approveAuthorization(await oauth.asked())
  expect(half.error?.code).toBe('insufficient_aal')
})
