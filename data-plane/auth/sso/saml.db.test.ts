import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSafeFetch } from '#kit/network/safe-fetch'
import { carried } from '../../testing/auth/oidc.ts'
import { createIdp, requestIn, type Answer, type TestIdp } from '../../testing/auth/saml.ts'
import {
  newEmail,
  password,
  startAuthServer,
  type TestServer,
  type TestTenant,
} from '../../testing/auth/server.ts'

const site = 'http://localhost:3000'
const domain = 'corp.example.com'
let server: TestServer
let tenant: TestTenant
let idp: TestIdp
let providerId: string

beforeAll(async () => {
  server = await startAuthServer({ fetch: createSafeFetch({ allowLoopback: true }) })
  tenant = await server.tenant('saml', { ssoEnabled: true })
  idp = createIdp()
  providerId = await addProvider(idp, [domain])
})
afterAll(() => server.close())

async function addProvider(from: TestIdp, domains: string[], more: object = {}): Promise<string> {
  const answer = await tenant.call(
    'POST',
    '/admin/sso/providers',
    { type: 'saml', metadata_xml: from.metadata, domains, ...more },
    { authorization: `Bearer ${tenant.serviceKey}` },
  )
  const body = (await answer.json()) as { id?: string; msg?: string }
  if (!body.id) throw new Error(body.msg)
  return body.id
}

let counter = 0
const somebody = () => {
  counter += 1
  return { nameId: `id-${counter}`, attributes: { email: `u${counter}@${domain}` } }
}
async function begin(more: object = {}): Promise<Answer['request']> {
  const body = { domain, skip_http_redirect: true, ...more }
  const answer = await tenant.call('POST', '/sso', body)
  return requestIn(((await answer.json()) as { url: string }).url)
}
const post = (form: URLSearchParams, at = tenant) =>
  fetch(`${at.externalUrl}/sso/saml/acs`, { method: 'POST', body: form, redirect: 'manual' })
async function land(form: URLSearchParams): Promise<URLSearchParams> {
  const response = await post(form)
  expect(response.status).toBe(303)
  return carried(new URL(response.headers.get('location') ?? ''))
}
const userOf = async (values: URLSearchParams) =>
  (await tenant.client().auth.getUser(values.get('access_token') ?? '')).data.user

test('metadata says who we are', async () => {
  const answer = await tenant.call('GET', '/sso/saml/metadata?download=true')
  expect(answer.headers.get('content-type')).toContain('application/xml')
  expect(answer.headers.get('content-disposition')).toContain('attachment')
  const text = await answer.text()
  expect(text).toContain(`entityID="${tenant.externalUrl}/sso/saml/metadata"`)
  expect(text).toContain(`Location="${tenant.externalUrl}/sso/saml/acs"`)
  expect(text).toContain('WantAssertionsSigned="true"')
})

test('another address stands for ours wherever providers know us by it', async () => {
  const elsewhere = 'https://login.shop.example.com/auth/v1'
  const other = await server.tenant('moved', { ssoEnabled: true, samlExternalUrl: elsewhere })
  const text = await (await other.call('GET', '/sso/saml/metadata')).text()
  expect(text).toContain(`entityID="${elsewhere}/sso/saml/metadata"`)
  expect(text).toContain(`Location="${elsewhere}/sso/saml/acs"`)
  const body = { type: 'saml', metadata_xml: createIdp().metadata, domains: [domain] }
  const bearer = { authorization: `Bearer ${other.serviceKey}` }
  expect((await other.call('POST', '/admin/sso/providers', body, bearer)).status).toBe(201)
  const begun = await other.call('POST', '/sso', { domain, skip_http_redirect: true })
  const { acsUrl, xml } = requestIn(((await begun.json()) as { url: string }).url)
  expect(acsUrl).toBe(`${elsewhere}/sso/saml/acs`)
  expect(xml).toContain(`${elsewhere}/sso/saml/metadata`)
})

test('an unknown domain, an unknown provider and neither are refused', async () => {
  const refuse = async (body: object) => {
    const answer = await tenant.call('POST', '/sso', body)
    return [answer.status, ((await answer.json()) as { error_code: string }).error_code]
  }
  expect(await refuse({ domain: 'nobody.example.com' })).toEqual([404, 'sso_provider_not_found'])
  expect(await refuse({ provider_id: 'x' })).toEqual([404, 'sso_provider_not_found'])
  expect(await refuse({})).toEqual([400, 'validation_failed'])
  const off = await server.tenant('nosso')
  expect((await off.call('POST', '/sso', { domain })).status).toBe(404)
})

test('the unmodified client signs in by SAML with PKCE, and somebody new gets an account', async () => {
  const client = tenant.client(undefined, 'pkce')
  const { data } = await client.auth.signInWithSSO({
    domain,
    options: { redirectTo: `${site}/welcome` },
  })
  const { nameId, attributes } = somebody()
  const request = requestIn(data?.url ?? '')
  expect(request.xml).toContain(`${tenant.externalUrl}/sso/saml/metadata`)
  const response = await post(idp.answer({ request, nameId, attributes }))
  const landing = new URL(response.headers.get('location') ?? '')
  expect(landing.pathname).toBe('/welcome')
  const code = landing.searchParams.get('code') ?? ''
  const session = (await client.auth.exchangeCodeForSession(code)).data.session
  expect(session?.user).toMatchObject({
    email: attributes.email,
    app_metadata: { provider: `sso:${providerId}`, providers: [`sso:${providerId}`] },
    identities: [{ provider: `sso:${providerId}`, id: nameId }],
  })
  const claims = (await client.auth.getClaims()).data?.claims
  expect(claims?.amr).toMatchObject([{ method: 'sso/saml', provider: providerId }])
})

test('the same person comes back to the same account, with the address of today', async () => {
  const { nameId, attributes } = somebody()
  const first = await land(idp.answer({ request: await begin(), nameId, attributes }))
  const email = `renamed-${nameId}@${domain}`
  const again = idp.answer({ request: await begin(), nameId, attributes: { mail: email } })
  const second = await userOf(await land(again))
  expect(second?.id).toBe((await userOf(first))?.id)
  expect(second?.email).toBe(email)
})

test('these accounts are apart from one with the same address', async () => {
  const { nameId, attributes } = somebody()
  const admin = tenant.client(tenant.serviceKey).auth.admin
  const email = attributes.email
  const local = await admin.createUser({ email, password, email_confirm: true })
  const values = await land(idp.answer({ request: await begin(), nameId, attributes }))
  const user = await userOf(values)
  expect(user?.id).not.toBe(local.data.user?.id)
  const client = tenant.client()
  await client.auth.setSession({
    access_token: values.get('access_token') ?? '',
    refresh_token: values.get('refresh_token') ?? '',
  })
  for (const change of [{ email: newEmail() }, { password: 'another password 1' }]) {
    expect((await client.auth.updateUser(change)).error?.code).toBe('user_sso_managed')
  }
  const own = await client.auth.signInWithPassword({ email, password })
  expect(own.data.user?.id).toBe(local.data.user?.id)
})

test('attributes go where the mapping says', async () => {
  const other = createIdp()
  const keys = {
    email: { name: 'upn' },
    team: { names: ['dept', 'team'] },
    groups: { name: 'groups', array: true },
    level: { name: 'none', default: 1 },
  }
  const id = await addProvider(other, ['mapped.example.com'], { attribute_mapping: { keys } })
  const request = await begin({ domain: 'mapped.example.com' })
  const attributes = {
    upn: 'ada@mapped.example.com',
    email: 'wrong@mapped.example.com',
    displayName: 'Ada',
    team: 'blue',
    groups: ['a', 'b'],
  }
  const user = await userOf(await land(other.answer({ request, nameId: 'ada', attributes })))
  expect(user).toMatchObject({
    email: 'ada@mapped.example.com',
    app_metadata: { provider: `sso:${id}` },
    user_metadata: {
      full_name: 'Ada',
      custom_claims: { team: 'blue', groups: ['a', 'b'], level: 1 },
    },
  })
})

test('a provider vouches for its own domains only', async () => {
  const request = await begin()
  const attributes = { email: 'ceo@other.example.com' }
  const values = await land(idp.answer({ request, nameId: 'x', attributes }))
  expect(values.get('error_code')).toBe('email_address_not_authorized')
})

test.each([
  ['saml_assertion_no_email', { nameId: 'no-mail' }],
  [
    'saml_assertion_no_user_id',
    { nameId: 'x', nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' },
  ],
])('%s', async (code, what) => {
  const values = await land(idp.answer({ request: await begin(), ...what }))
  expect(values.get('error_code')).toBe(code)
})

test('a disabled provider signs nobody in, not even who is on the way', async () => {
  const other = createIdp()
  const id = await addProvider(other, ['off.example.com'])
  const request = await begin({ domain: 'off.example.com' })
  const headers = { authorization: `Bearer ${tenant.serviceKey}` }
  await tenant.call('PUT', `/admin/sso/providers/${id}`, { disabled: true }, headers)
  const attributes = { email: 'a@off.example.com' }
  const values = await land(other.answer({ request, nameId: 'a', attributes }))
  expect(values.get('error_code')).toBe('sso_provider_not_found')
  expect((await tenant.call('POST', '/sso', { domain: 'off.example.com' })).status).toBe(404)
})
