import { afterAll, beforeAll, expect, test } from 'vitest'
import { watchLoop } from '#kit/testing/loop-watch'
import { createSafeFetch } from '#kit/network/safe-fetch'
import { carried, newBrowser } from '../../testing/auth/oidc.ts'
import { createIdp, requestIn, type Answer, type TestIdp } from '../../testing/auth/saml.ts'
import { startAuthServer, type TestServer, type TestTenant } from '../../testing/auth/server.ts'

const site = 'http://localhost:3000'
const domain = 'corp.example.com'
let server: TestServer
let tenant: TestTenant
let idp: TestIdp

beforeAll(async () => {
  server = await startAuthServer({ fetch: createSafeFetch({ allowLoopback: true }) })
  tenant = await server.tenant('saml', { ssoEnabled: true })
  idp = createIdp()
  await addProvider(idp, [domain])
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

const wrong: [string, (request: Answer['request']) => Partial<Answer>][] = [
  ['no signature', () => ({ sign: 'none' })],
  ['a signature of the envelope alone', () => ({ sign: 'response' })],
  ['a weak signature', () => ({ algorithm: 'sha1' })],
  ['a changed assertion', () => ({ tamper: (xml) => xml.replace(/>id-\d+</, '>admin<') })],
  ['an end in the past', () => ({ endsInSeconds: -60 })],
  ['no end', () => ({ withoutEnd: true })],
  ['a start in the future', () => ({ startsInSeconds: 120 })],
  ['another audience', () => ({ audience: 'https://other.example/metadata' })],
  ['another recipient', () => ({ recipient: 'https://other.example/acs' })],
  ['another issuer', () => ({ issuer: 'https://evil.example' })],
  ['another request', () => ({ inResponseTo: '_of-somebody-else' })],
  ['no request', () => ({ inResponseTo: undefined })],
  ['an envelope for another request', () => ({ responseTo: '_of-somebody-else' })],
  ['another method', () => ({ method: 'urn:oasis:names:tc:SAML:2.0:cm:sender-vouches' })],
  ['a document type', () => ({ tamper: (xml) => `<!DOCTYPE a [<!ENTITY b "c">]>${xml}` })],
  ['a second assertion', () => ({ tamper: (xml) => doubled(xml, 'before') })],
  ['a second assertion behind', () => ({ tamper: (xml) => doubled(xml, 'after') })],
  ['the signed assertion hidden in a forged one', () => ({ tamper: wrapped })],
  ['the signed assertion moved aside', () => ({ tamper: movedAside })],
]
test.each(wrong)('an answer with %s is refused', async (_, change) => {
  const request = await begin()
  const values = await land(idp.answer({ request, ...somebody(), ...change(request) }))
  expect(values.get('access_token')).toBeNull()
  expect(values.get('error_code')).toMatch(/^(bad_oauth_callback|validation_failed)$/)
})

const many = 60_000
test.each([
  ['many elements', '<a/>'.repeat(many)],
  ['names inside each other', '<a xmlns:a="b">'.repeat(many / 4) + '</a>'.repeat(many / 4)],
  ['elements that do not end', '<'.repeat(many * 4)],
  ['comments that do not end', '<!--'.repeat(many)],
  ['attributes', `<a ${Array.from({ length: many / 2 }, (_n, i) => `a${i}="" `).join('')}/>`],
  ['a long text', 'x'.repeat(many * 8)],
])('an answer of %s holds nobody else', async (_, bomb) => {
  await land(idp.answer({ request: await begin(), ...somebody() }))
  const form = async () =>
    idp.answer({
      request: await begin(),
      ...somebody(),
      tamper: (xml) => xml.replace('<saml:Subject>', `${bomb}<saml:Subject>`),
    })
  // Each look has a request of its own, which is answered once.
  const forms = [await form(), await form(), await form()]
  const loop = watchLoop()
  const { result: response, held } = await loop.duringRequest(() => {
    const next = forms.pop()
    if (!next) throw new Error('There are no more forms')
    return post(next)
  }, 100)
  loop.stop()
  expect(response.status).toBeLessThan(500)
  const values = carried(new URL(response.headers.get('location') ?? site))
  expect(values.get('access_token')).toBeNull()
  expect(held).toBeLessThan(100)
})

const assertionIn = (xml: string) => /<saml:Assertion.*<\/saml:Assertion>/s.exec(xml)?.[0] ?? ''
/** The assertion as an attacker wants it: another person, another id, no signature. */
const forged = (xml: string) =>
  assertionIn(xml)
    .replace(/<ds:Signature.*<\/ds:Signature>|<Signature.*<\/Signature>/s, '')
    .replace(/>id-\d+</, '>admin<')
    .replace(/ID="_[0-9a-f]+"/, 'ID="_forged"')
function doubled(xml: string, where: 'before' | 'after'): string {
  const real = assertionIn(xml)
  return xml.replace(real, where === 'before' ? forged(xml) + real : real + forged(xml))
}
function wrapped(xml: string): string {
  const real = assertionIn(xml)
  return xml.replace(real, forged(xml).replace('</saml:Subject>', `</saml:Subject>${real}`))
}
function movedAside(xml: string): string {
  const real = assertionIn(xml)
  const signature = /<(ds:)?Signature.*<\/(ds:)?Signature>/s.exec(real)?.[0] ?? ''
  const inside = signature.replace(
    /<\/((ds:)?)Signature>$/,
    `<$1Object>${real.replace(signature, '')}</$1Object></$1Signature>`,
  )
  return xml.replace(real, forged(xml).replace('</saml:Issuer>', `</saml:Issuer>${inside}`))
}

test('a comment does not cut a name short', async () => {
  const request = await begin()
  const nameId = `admin@${domain}.evil.example`
  const attributes = { email: `u@${domain}` }
  const tamper = (xml: string) => xml.replace(nameId, `admin@${domain}<!-- -->.evil.example`)
  const values = await land(idp.answer({ request, nameId, attributes, tamper }))
  const user = await userOf(values)
  if (user) expect(user.identities?.[0]?.id).toBe(nameId)
  else expect(values.get('error_code')).toBe('bad_oauth_callback')
})

test('another provider’s key does not sign for this one', async () => {
  const stranger = createIdp(idp.entityId)
  const values = await land(stranger.answer({ request: await begin(), ...somebody() }))
  expect(values.get('error_code')).toBe('bad_oauth_callback')
})

test('an answer is good once, and only to a request of ours', async () => {
  const form = idp.answer({ request: await begin(), ...somebody() })
  expect((await land(form)).get('access_token')).toBeTruthy()
  expect((await land(form)).get('error_code')).toBe('saml_relay_state_not_found')
  // The same assertion with the relay state of another request.
  form.set('RelayState', (await begin()).relayState)
  expect((await land(form)).get('error_code')).toBe('bad_oauth_callback')
  for (const relay of ['', 'https://evil.example/', 'x']) {
    form.set('RelayState', relay)
    expect((await land(form)).get('error_code')).toBe('saml_relay_state_not_found')
  }
})

test('an answer that comes too late is refused', async () => {
  const request = await begin()
  server.advance(11 * 60)
  const values = await land(idp.answer({ request, ...somebody() }))
  expect(values.get('error_code')).toMatch(/^saml_relay_state/)
})

test('nobody is sent elsewhere', async () => {
  const request = await begin({ redirect_to: 'https://evil.example/' })
  const response = await post(idp.answer({ request, ...somebody() }))
  expect(new URL(response.headers.get('location') ?? '').origin).toBe(site)
})

test('a bound sign-in ends only in the browser that began it', async () => {
  const bound = await server.tenant('boundsaml', { ssoEnabled: true, bindSignIns: true })
  const body = { metadata_xml: idp.metadata, domains: [domain] }
  const headers = { authorization: `Bearer ${bound.serviceKey}` }
  await bound.call('POST', '/admin/sso/providers', body, headers)
  const start = async () => {
    const answer = await bound.call('POST', '/sso', { domain, skip_http_redirect: true })
    const cookie = (answer.headers.getSetCookie()[0] ?? '').split(';')[0] ?? ''
    const { url } = (await answer.json()) as { url: string }
    const posted = await post(idp.answer({ request: requestIn(url), ...somebody() }), bound)
    return { cookie, next: posted.headers.get('location') ?? '' }
  }
  const finish = async (next: string, cookie: string) => {
    const response = await fetch(next, { redirect: 'manual', headers: { cookie } })
    return carried(new URL(response.headers.get('location') ?? ''))
  }
  const lure = await start()
  expect(lure.next).not.toContain('access_token')
  const victim = newBrowser()
  expect(carried(await victim.follow(lure.next, site)).get('error_code')).toBe('bad_oauth_state')
  const own = await start()
  expect((await finish(own.next, lure.cookie)).get('error_code')).toBe('bad_code_verifier')
  expect((await finish(own.next, own.cookie)).get('access_token')).toBeTruthy()
})
