import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSafeFetch } from '#kit/network/safe-fetch'
import {
  carried,
  end,
  listen,
  newBrowser,
  startOidcProvider,
  type TestProvider,
} from '../../testing/auth/oidc.ts'
import { createIdp } from '../../testing/auth/saml.ts'
import { startAuthServer, type TestServer, type TestTenant } from '../../testing/auth/server.ts'

const site = 'http://localhost:3000'
let server: TestServer
let provider: TestProvider
let tenant: TestTenant

beforeAll(async () => {
  server = await startAuthServer({ fetch: createSafeFetch({ allowLoopback: true }) })
  provider = await startOidcProvider([`${server.origin}/sso/auth/v1/callback`])
  tenant = await server.tenant('sso', { ssoEnabled: true })
})
afterAll(async () => {
  await server.close()
  await provider.close()
})

async function admin(method: string, path = '', body?: object, key = tenant.serviceKey) {
  const headers = { authorization: `Bearer ${key}` }
  const answer = await tenant.call(method, `/admin/sso/providers${path}`, body, headers)
  // What it holds is for the test to say.
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}
let counter = 0
const newDomain = () => {
  counter += 1
  return `d${counter}.example.com`
}
const oidc = (more: object = {}) => ({
  type: 'oidc',
  issuer: provider.issuer,
  client_id: 'client',
  client_secret: 'client secret of the test',
  domains: [newDomain()],
  ...more,
})
async function signIn(domain: string) {
  const answer = await tenant.call('POST', '/sso', { domain, skip_http_redirect: true })
  const { url } = (await answer.json()) as { url: string }
  return carried(await newBrowser().follow(url, site))
}
const userOf = async (values: URLSearchParams) =>
  (await tenant.client().auth.getUser(values.get('access_token') ?? '')).data.user

test('only the service key sets up providers', async () => {
  expect((await tenant.call('GET', '/admin/sso/providers')).status).toBe(401)
  expect((await admin('GET', '', undefined, tenant.anonKey)).status).toBe(403)
  expect((await admin('POST', '', oidc(), tenant.anonKey)).status).toBe(403)
  expect((await admin('GET', '/7d9fdb1c-0000-4000-8000-000000000000')).status).toBe(404)
  expect((await admin('DELETE', '/x')).body).toMatchObject({ error_code: 'sso_provider_not_found' })
})

test.each([
  ['no metadata', { type: 'saml' }],
  ['metadata that is no XML', { metadata_xml: 'hello' }],
  ['metadata of nothing', { metadata_xml: '<a/>' }],
  ['metadata with a document type', { metadata_xml: `<!DOCTYPE a>${createIdp().metadata}` }],
  [
    'metadata without a certificate',
    { metadata_xml: createIdp().metadata.replace(/MII[\w+/=]+/, '') },
  ],
  ['a domain that is none', { domains: ['localhost'] }],
  ['a domain with a path', { domains: ['example.com/x'] }],
  ['no issuer', { type: 'oidc', client_id: 'x', client_secret: 'y' }],
  ['no secret', { type: 'oidc', issuer: 'https://x.example', client_id: 'x' }],
  ['metadata at a private address', { metadata_url: 'https://10.0.0.1/metadata' }],
  ['metadata that is not there', { metadata_url: 'http://127.0.0.1:9/metadata' }],
])('%s is refused', async (_, wrong) => {
  const base = 'domains' in wrong ? { metadata_xml: createIdp().metadata } : {}
  const answer = await admin('POST', '', { ...base, ...wrong })
  expect([400, 422]).toContain(answer.status)
  expect(answer.body['msg']).toBeTruthy()
})

test('providers are made, listed, changed and removed', async () => {
  const idp = createIdp()
  const domain = newDomain()
  const made = await admin('POST', '', {
    metadata_xml: idp.metadata,
    domains: [domain.toUpperCase()],
  })
  expect(made).toMatchObject({
    status: 201,
    body: { saml: { entity_id: idp.entityId }, domains: [{ domain }], disabled: false },
  })
  const id = String(made.body['id'])
  const twice = await admin('POST', '', { metadata_xml: idp.metadata, domains: [newDomain()] })
  expect(twice.body['error_code']).toBe('saml_idp_already_exists')
  const taken = await admin('POST', '', oidc({ domains: [domain] }))
  expect(taken).toMatchObject({ status: 422, body: { error_code: 'sso_domain_already_exists' } })
  const other = newDomain()
  const changed = await admin('PUT', `/${id}`, { domains: [other], disabled: true })
  expect(changed.body).toMatchObject({
    saml: { entity_id: idp.entityId },
    domains: [{ domain: other }],
    disabled: true,
  })
  expect((await admin('GET')).body['items']).toContainEqual(changed.body)
  expect((await admin('DELETE', `/${id}`)).status).toBe(200)
  expect((await admin('GET', `/${id}`)).status).toBe(404)
})

test('metadata is read from its address', async () => {
  const idp = createIdp()
  const files = createServer((_, response) => response.end(idp.metadata))
  const url = `${await listen(files)}/metadata.xml`
  const made = await admin('POST', '', { metadata_url: url, domains: [newDomain()] })
  expect(made.body).toMatchObject({ saml: { entity_id: idp.entityId, metadata_url: url } })
  await end(files)
})

test('a domain can belong to an OpenID provider; nobody can read its secret', async () => {
  const settings = oidc()
  const [domain = ''] = settings.domains
  const made = await admin('POST', '', settings)
  expect(JSON.stringify(made.body)).not.toContain('client secret')
  const stored = await tenant.sql(
    'select sealed_client_secret as secret from auth.sso_oidc_providers',
  )
  expect(stored[0]?.['secret']).toMatch(/^v1\./)
  provider.account = { sub: 'worker', email: `worker@${domain}` }
  const values = await signIn(domain)
  const name = `sso:${String(made.body['id'])}`
  expect(await userOf(values)).toMatchObject({
    email: `worker@${domain}`,
    app_metadata: { provider: name },
    identities: [{ provider: name, id: 'worker' }],
  })
  for (const wrong of [
    { email: 'worker@elsewhere.example.com' },
    { email: `worker@${domain}`, email_verified: false },
    {},
  ]) {
    provider.account = { sub: 'worker', ...wrong }
    const refused = await signIn(domain)
    expect(refused.get('access_token')).toBeNull()
    expect(refused.get('error_code')).toBeTruthy()
  }
})

test('a secret stays with its issuer', async () => {
  const made = await admin('POST', '', oidc())
  const path = `/${String(made.body['id'])}`
  const moved = { type: 'oidc', issuer: 'https://evil.example', client_id: 'client' }
  expect((await admin('PUT', path, moved)).status).toBe(400)
  const same = { type: 'oidc', issuer: provider.issuer, client_id: 'other' }
  expect((await admin('PUT', path, same)).status).toBe(200)
})

test('removing a provider signs its people out and lets them in no more', async () => {
  const settings = oidc()
  const [domain = ''] = settings.domains
  const made = await admin('POST', '', settings)
  provider.account = { sub: 'leaver', email: `leaver@${domain}` }
  const values = await signIn(domain)
  expect(await userOf(values)).not.toBeNull()
  await admin('DELETE', `/${String(made.body['id'])}`)
  expect(await userOf(values)).toBeNull()
  const refresh = await tenant.call('POST', '/token?grant_type=refresh_token', {
    refresh_token: values.get('refresh_token'),
  })
  expect(refresh.status).toBe(400)
})
