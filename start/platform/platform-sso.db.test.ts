import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { followEmail } from '#control-plane/people/profile/email-store'
import type { SsoGateway } from '#control-plane/organizations/sso/gateway'
import {
  startControlPlane,
  type Person,
  type TestControlPlane,
} from '#control-plane/testing/control-plane'
import { newcomer, organizationOf } from '#control-plane/testing/people'
import { createIdp, requestIn } from '#data-plane/testing/auth/saml'
import { readConfig } from '#kit/config'
import { silentLog } from '#kit/log'
import { createSecrets } from '#kit/secrets'
import { createPlatformAuth, signInForms } from './platform-auth.ts'

let plane: TestControlPlane
let auth: ReturnType<typeof createPlatformAuth>
let owner: Person
const domain = 'corp.example.com'

beforeAll(async () => {
  // The auth service needs the database of the control plane, which asks it for its part.
  const gateway: SsoGateway = {
    get service() {
      return auth.sso.service
    },
    prepare: (input) => auth.sso.prepare(input),
    save: (...given) => auth.sso.save(...given),
    setDomains: (...given) => auth.sso.setDomains(...given),
    find: (id) => auth.sso.find(id),
    remove: (...given) => auth.sso.remove(...given),
    peopleOf: (...given) => auth.sso.peopleOf(...given),
  }
  plane = await startControlPlane(undefined, undefined, {
    sso: gateway,
    trustedSsoDomains: [domain],
    verifyToken: (token) =>
      token.split('.').length === 3 ? auth.verifyToken(token) : verifyTestToken(token),
    security: {
      allowedOrigins: ['http://localhost:8000'],
      connectTo: [],
      trustedProxies: [],
      openToForms: signInForms,
    },
  })
  auth = createPlatformAuth({
    pool: plane.pool,
    // Closed sign-up does not keep out an organization's own people.
    config: readConfig({ PLINTH_DISABLED_FEATURES: 'dashboard_auth:sign_up' }),
    secrets: createSecrets(randomBytes(32)),
    log: silentLog,
    keepMail: async () => undefined,
    onEmailChanged: followEmail,
    isInvited: async () => false,
    onSsoSignIn: plane.arriveBySso,
  })
  auth.mount(plane.app)
  owner = await newcomer(plane, 'owner')
})
afterAll(async () => {
  await auth.close()
  await plane.end()
})

async function verifyTestToken(token: string) {
  const [, userId = '', email = ''] = Buffer.from(token, 'base64url').toString().split(' ')
  return { userId, email, sessionId: userId, aal: 'aal1' } as const
}

const organization = async (name: string) => (await organizationOf(owner, name)).slug

test('an organization sets up SAML, and somebody of it signs in and is a member', async () => {
  const slug = await organization('Corp')
  const idp = createIdp()
  const path = `/platform/organizations/${slug}/sso`
  const settings = { enabled: true, domains: [domain], join_role: 'Developer' }
  const saml = { metadata_xml: idp.metadata, attributes: { email: 'upn' } }
  const made = await owner.call('POST', path, { ...settings, saml })
  expect(made).toMatchObject({
    status: 201,
    body: {
      service: { acs_url: 'http://localhost:8000/auth/v1/sso/saml/acs' },
      provider: { saml: { entity_id: idp.entityId, attributes: { email: 'upn' } } },
      domains: [{ domain, verified_at: expect.any(String) }],
    },
  })

  const begun = await plane.app.inject({
    method: 'POST',
    url: '/auth/v1/sso',
    payload: { domain, skip_http_redirect: true },
  })
  const cookie = String(begun.headers['set-cookie']).split(';')[0] ?? ''
  const { url } = begun.json<{ url: string }>()
  const attributes = { upn: `ada@${domain}` }
  const form = idp.answer({ request: requestIn(url), nameId: 'ada', attributes })
  const posted = await plane.app.inject({
    method: 'POST',
    url: '/auth/v1/sso/saml/acs',
    // Its page has its own origin.
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://idp.example' },
    payload: form.toString(),
  })
  expect(posted.statusCode).toBe(303)
  const finish = new URL(String(posted.headers.location))
  const done = await plane.app.inject({ url: finish.pathname + finish.search, headers: { cookie } })
  const landing = new URL(String(done.headers.location))
  const token = new URLSearchParams(landing.hash.slice(1)).get('access_token') ?? ''
  const headers = { authorization: `Bearer ${token}` }

  const profile = await plane.app.inject({ url: '/platform/profile', headers })
  expect(profile.statusCode).toBe(200)
  expect(profile.json()).toMatchObject({
    primary_email: `ada@${domain}`,
    auth0_id: expect.stringMatching(/^sso\|/),
  })
  const seen = await plane.app.inject({ url: `/platform/organizations/${slug}`, headers })
  expect(seen.json()).toMatchObject({ slug, role: 'Developer' })
  const { gotrue_id: userId } = profile.json<{ gotrue_id: string }>()
  expect((await auth.people.facts([userId])).get(userId)?.isSsoUser).toBe(true)

  expect((await owner.call('DELETE', path)).body['provider']).toBeNull()
  const after = await plane.app.inject({ url: '/platform/profile', headers })
  expect(after.statusCode).toBe(401)
})

test('a provider whose domains nobody has proven signs nobody in', async () => {
  const slug = await organization('Claims')
  const idp = createIdp()
  const made = await owner.call('POST', `/platform/organizations/${slug}/sso`, {
    enabled: true,
    domains: ['bank.example.com'],
    join_role: 'Developer',
    saml: { metadata_xml: idp.metadata },
  })
  const { id: provider_id } = made.body['provider'] as { id: string } // the contract's
  const start = (payload: object) =>
    plane.app.inject({ method: 'POST', url: '/auth/v1/sso', payload })
  expect((await start({ domain: 'bank.example.com' })).statusCode).toBe(404)
  const begun = await start({ provider_id, skip_http_redirect: true })
  const request = requestIn(begun.json<{ url: string }>().url)
  const attributes = { email: 'ceo@bank.example.com' }
  const posted = await plane.app.inject({
    method: 'POST',
    url: '/auth/v1/sso/saml/acs',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: idp.answer({ request, nameId: 'ceo', attributes }).toString(),
  })
  expect(String(posted.headers.location)).toContain('error_code=email_address_not_authorized')
  await owner.call('DELETE', `/platform/organizations/${slug}/sso`)
})

test('what the auth service refuses comes back in the words of the platform, and nothing is kept', async () => {
  const slug = await organization('Wrong')
  const path = `/platform/organizations/${slug}/sso`
  const settings = { enabled: true, domains: ['x.example.com'], join_role: 'Developer' }
  for (const saml of [
    { metadata_xml: '<a/>' },
    { metadata_url: 'https://169.254.169.254/metadata' },
    { metadata_url: 'http://127.0.0.1/metadata' },
    {},
  ]) {
    expect(await owner.call('POST', path, { ...settings, saml })).toMatchObject({
      status: 400,
      body: { code: 'invalid_input' },
    })
  }
  const oidc = { issuer: 'https://id.example.com', client_id: 'a' }
  expect((await owner.call('POST', path, { ...settings, oidc })).status).toBe(400)
  expect((await owner.call('GET', path)).body).toMatchObject({ provider: null, domains: [] })
  const left = await plane.pool.query('select 1 from auth.sso_providers')
  expect(left.rows).toEqual([])
})

test('an OpenID provider keeps its secret through changes and shows it to nobody', async () => {
  const slug = await organization('Open')
  const path = `/platform/organizations/${slug}/sso`
  const oidc = { issuer: 'https://id.example.com', client_id: 'a', client_secret: 'hush hush' }
  const settings = { enabled: true, domains: ['y.example.com'], join_role: 'Developer', oidc }
  const made = await owner.call('POST', path, settings)
  expect(made.body['provider']).toMatchObject({ oidc: { issuer: oidc.issuer, client_id: 'a' } })
  const { client_secret: _, ...kept } = oidc
  const changed = await owner.call('PUT', path, { ...settings, oidc: kept, enabled: false })
  expect(changed).toMatchObject({ status: 200, body: { provider: { enabled: false } } })
  expect(JSON.stringify([made.body, changed.body])).not.toContain('hush')
  const { rows } = await plane.pool.query(
    'select sealed_client_secret from auth.sso_oidc_providers',
  )
  expect(JSON.stringify(rows)).not.toContain('hush')
})

test('only where providers answer may other origins post', async () => {
  const answer = await plane.app.inject({
    method: 'POST',
    url: '/auth/v1/sso',
    headers: { origin: 'https://idp.example' },
    payload: { domain },
  })
  expect(answer.statusCode).toBe(403)
})
