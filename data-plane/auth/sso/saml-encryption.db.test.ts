import { X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSafeFetch } from '#kit/network/safe-fetch'
import { carried } from '../../testing/auth/oidc.ts'
import { createIdp, requestIn, type Answer, type TestIdp } from '../../testing/auth/saml.ts'
import { startAuthServer, type TestServer, type TestTenant } from '../../testing/auth/server.ts'

const domain = 'corp.example.com'
let server: TestServer
let idp: TestIdp
/** One that lets providers encrypt, and one that does not. */
let open: TestTenant
let closed: TestTenant

beforeAll(async () => {
  server = await startAuthServer({ fetch: createSafeFetch({ allowLoopback: true }) })
  open = await server.tenant('open', { ssoEnabled: true, samlEncryption: true })
  closed = await server.tenant('closed', { ssoEnabled: true })
  idp = createIdp()
  for (const tenant of [open, closed]) {
    const added = await tenant.call(
      'POST',
      '/admin/sso/providers',
      { type: 'saml', metadata_xml: idp.metadata, domains: [domain] },
      { authorization: `Bearer ${tenant.serviceKey}` },
    )
    expect(added.status).toBe(201)
  }
})
afterAll(() => server.close())

async function certificateOf(tenant: TestTenant): Promise<string | undefined> {
  const xml = await (await tenant.call('GET', '/sso/saml/metadata')).text()
  return /<KeyDescriptor use="encryption">.*?<X509Certificate>([^<]+)</s.exec(xml)?.[1]
}

type How = Omit<Answer, 'request' | 'nameId' | 'encryptFor'> & {
  for?: string
} & Pick<NonNullable<Answer['encryptFor']>, 'content' | 'key'>

/** What a tenant makes of an answer whose assertion is encrypted. */
async function landed(tenant: TestTenant, how: How = {}): Promise<URLSearchParams> {
  const begun = await tenant.call('POST', '/sso', { domain, skip_http_redirect: true })
  const request = requestIn(((await begun.json()) as { url: string }).url)
  const { for: certificate = (await certificateOf(open)) ?? '', content, key, ...more } = how
  const form = await idp.sealedAnswer({
    nameId: 'ada',
    attributes: { email: `ada@${domain}` },
    ...more,
    request,
    encryptFor: { certificate, content, key },
  })
  const address = `${tenant.externalUrl}/sso/saml/acs`
  const response = await fetch(address, { method: 'POST', body: form, redirect: 'manual' })
  expect(response.status).toBe(303)
  return carried(new URL(response.headers.get('location') ?? ''))
}

test('metadata names the key to encrypt with, always the same one, where that is allowed', async () => {
  expect(await certificateOf(closed)).toBeUndefined()
  const both = await Promise.all([certificateOf(open), certificateOf(open)])
  expect(new Set(both).size).toBe(1)
  const certificate = new X509Certificate(Buffer.from(both[0] ?? '', 'base64'))
  expect(certificate.publicKey.asymmetricKeyDetails?.modulusLength).toBe(2048)
})

test.each<[string, How['content']]>([
  ['GCM', 'http://www.w3.org/2009/xmlenc11#aes256-gcm'],
  ['CBC', 'http://www.w3.org/2001/04/xmlenc#aes256-cbc'],
])('what is encrypted with AES in %s signs in', async (_, content) => {
  const values = await landed(open, { content })
  const { data } = await open.client().auth.getUser(values.get('access_token') ?? '')
  expect(data.user?.email).toBe(`ada@${domain}`)
})

test.each<[string, How]>([
  ['for the key of another', { for: createIdp().certificate }],
  ['by RSA as in PKCS #1', { key: 'http://www.w3.org/2001/04/xmlenc#rsa-1_5' }],
  ['by triple DES', { content: 'http://www.w3.org/2001/04/xmlenc#tripledes-cbc' }],
  ['with a signature around it only', { sign: 'response' }],
  ['and signed by nobody', { sign: 'none' }],
  ['and signed in a weak way', { algorithm: 'sha1' }],
  ['and made for somebody else', { audience: 'https://another.example.com' }],
  ['and over', { endsInSeconds: -600 }],
])('what is encrypted %s does not', async (_, how) => {
  expect((await landed(open, how)).get('error_code')).toBe('bad_oauth_callback')
})

test('nor anything that is encrypted where that is not allowed', async () => {
  expect((await landed(closed)).get('error_code')).toBe('bad_oauth_callback')
})
