import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  carried,
  newBrowser,
  oidcOf,
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
let provider: TestProvider
let other: TestProvider
let tenant: TestTenant
let bound: TestTenant

beforeAll(async () => {
  server = await startAuthServer()
  const uris = ['ext', 'bound'].map((ref) => `${server.origin}/${ref}/auth/v1/callback`)
  provider = await startOidcProvider(uris)
  other = await startOidcProvider(uris)
  const external = [oidcOf(provider), oidcOf(other, 'other')]
  tenant = await server.tenant('ext', { external })
  bound = await server.tenant('bound', { external, bindSignIns: true })
})
afterAll(async () => {
  await server.close()
  await provider.close()
  await other.close()
})

let counter = 0
/** Somebody new signs in at the provider. */
function somebody(): void {
  counter += 1
  provider.account = { sub: `sub-${counter}`, email: newEmail(), email_verified: true }
}
const start = (more = '', at: TestTenant = tenant) =>
  `${at.externalUrl}/authorize?provider=example${more}`
/** Goes to the provider and back, up to our callback, which is not opened yet. */
const callbackUrl = (url: string, browser = newBrowser(), at: TestTenant = tenant) =>
  browser.follow(url, `${at.externalUrl}/callback`)
const refused = async (url: URL | string, browser = newBrowser()) =>
  carried(await browser.follow(String(url), site)).get('error_code')

test('an answer is good once', async () => {
  somebody()
  const url = await callbackUrl(start())
  expect(carried(await newBrowser().follow(url.href, site)).get('access_token')).toBeTruthy()
  expect(await refused(url)).toBe('bad_oauth_state')
})

test.each([
  ['no state', (url: URL) => url.searchParams.delete('state')],
  ['an unknown state', (url: URL) => url.searchParams.set('state', 'x')],
])('an answer with %s is refused', async (_, change) => {
  somebody()
  const url = await callbackUrl(start())
  change(url)
  expect(await refused(url)).toBe('bad_oauth_state')
})

test('an answer that comes too late is refused', async () => {
  somebody()
  const url = await callbackUrl(start())
  server.advance(11 * 60)
  expect(await refused(url)).toBe('bad_oauth_state')
})

test.each([
  ['another issuer', (url: URL) => url.searchParams.set('iss', 'https://evil.example')],
  ['no issuer', (url: URL) => url.searchParams.delete('iss')],
  ['a made-up code', (url: URL) => url.searchParams.set('code', 'x')],
])('an answer with %s is refused', async (_, change) => {
  somebody()
  const url = await callbackUrl(start())
  change(url)
  expect(await refused(url)).toBe('bad_oauth_callback')
})

test('the answer of one provider does not pass for that of another', async () => {
  other.account = { sub: 'mallory', email: newEmail(), email_verified: true }
  const theirs = await callbackUrl(`${tenant.externalUrl}/authorize?provider=other`)
  somebody()
  const url = await callbackUrl(start())
  url.searchParams.set('code', theirs.searchParams.get('code') ?? '')
  url.searchParams.set('iss', theirs.searchParams.get('iss') ?? '')
  expect(await refused(url)).toBe('bad_oauth_callback')
})

test('an identity token for another sign-in is refused', async () => {
  somebody()
  const first = (await newBrowser().open(start())).headers.get('location') ?? ''
  const tampered = new URL(first)
  tampered.searchParams.set('nonce', 'of-somebody-else')
  expect(await refused(await callbackUrl(tampered.href))).toBe('bad_oauth_callback')
})

test('a code stolen on the way is worth nothing: its verifier never left us', async () => {
  somebody()
  const first = (await newBrowser().open(start())).headers.get('location') ?? ''
  const tampered = new URL(first)
  tampered.searchParams.set('code_challenge', 'A'.repeat(43))
  expect(await refused(await callbackUrl(tampered.href))).toBe('bad_oauth_callback')
})

test('cancelling at the provider comes back as a refusal', async () => {
  somebody()
  const url = await callbackUrl(start())
  url.searchParams.delete('code')
  url.searchParams.set('error', 'access_denied')
  const values = carried(await newBrowser().follow(url.href, site))
  expect(values.get('error_description')).toBe('The sign-in was cancelled')
})

test.each([
  'https://evil.example/',
  '//evil.example',
  'javascript:alert(1)',
  `${site}@evil.example`,
])('nobody is sent to %s', async (target) => {
  somebody()
  const landing = await newBrowser().follow(
    start(`&redirect_to=${encodeURIComponent(target)}`),
    site,
  )
  expect(landing.origin).toBe(site)
})

test('a bound sign-in ends only in the browser that began it', async () => {
  somebody()
  const victim = newBrowser()
  const lure = await callbackUrl(start('', bound), newBrowser(), bound)
  expect(await refused(lure, victim)).toBe('bad_oauth_state')
  // The victim may have begun a sign-in of their own.
  await victim.open(start('', bound))
  const second = await callbackUrl(start('', bound), newBrowser(), bound)
  expect(await refused(second, victim)).toBe('bad_oauth_state')
  const own = carried(await victim.follow(start('', bound), site))
  expect(own.get('access_token')).toBeTruthy()
})
