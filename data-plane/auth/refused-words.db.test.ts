import { afterAll, beforeAll, expect, test } from 'vitest'
import { startAuthServer, type TestServer, type TestTenant } from '../testing/auth/server.ts'
import { newEthereumWallet, siwe } from '../testing/auth/web3.ts'

/**
 * What programs of the public service read when a way of signing in is off, or is asked for in a wrong way: status, code
 * and words, and which of several reasons comes first.
 */
let server: TestServer
/** Nothing of it is on. */
let off: TestTenant
/** Wallets for Ethereum and single sign-on are. */
let on: TestTenant
beforeAll(async () => {
  server = await startAuthServer()
  off = await server.tenant('off')
  on = await server.tenant('on', { web3: { ethereum: true, solana: false }, ssoEnabled: true })
})
afterAll(() => server.close())

const samlOff = [404, 'saml_provider_disabled', 'SAML 2.0 is disabled'] as const
const web3 = '/token?grant_type=web3'
const idToken = '/token?grant_type=id_token'
const provider = '7d9fdb1c-0000-4000-8000-000000000000'
const malformed = 'a body of another shape'
type Refusal = readonly [status: number, code: string, words: string]

test.each<[string, 'on' | 'off', string, string, unknown, Refusal]>([
  ['single sign-on that is off', 'off', 'POST', '/sso', { domain: 'a.example' }, samlOff],
  ['before its body is read', 'off', 'POST', '/sso', { domain: 5 }, samlOff],
  ['its metadata', 'off', 'GET', '/sso/saml/metadata', undefined, samlOff],
  [
    'neither domain nor provider',
    'on',
    'POST',
    '/sso',
    {},
    [400, 'validation_failed', 'A provider_id or domain needs to be provided'],
  ],
  [
    'both of them',
    'on',
    'POST',
    '/sso',
    { domain: 'a.example', provider_id: provider },
    [400, 'validation_failed', 'Only one of provider_id or domain supported'],
  ],
  [
    'a provider that is not there',
    'on',
    'POST',
    '/sso',
    { provider_id: provider },
    [404, 'sso_provider_not_found', 'No such SSO provider'],
  ],
  [
    'a domain that is nobody’s',
    'on',
    'POST',
    '/sso',
    { domain: 'a.example' },
    [404, 'sso_provider_not_found', 'No SSO provider assigned for this domain'],
  ],
  [
    'wallets that are off, before the body is read',
    'off',
    'POST',
    web3,
    { chain: malformed },
    [422, 'web3_provider_disabled', 'Web3 provider is disabled'],
  ],
  [
    'a chain that is off, before its message is read',
    'on',
    'POST',
    web3,
    { chain: 'solana', message: '', signature: '' },
    [422, 'web3_provider_disabled', 'Solana Web3 provider is disabled'],
  ],
  [
    'a chain that is none',
    'on',
    'POST',
    web3,
    { chain: 'dogecoin', message: '', signature: '' },
    [400, 'web3_unsupported_chain', 'Unsupported chain'],
  ],
  [
    'a message that is none',
    'on',
    'POST',
    web3,
    { chain: 'ethereum', message: 'x', signature: '' },
    [400, 'validation_failed', 'message is too short'],
  ],
  [
    'a signature that is none, before the message is read',
    'on',
    'POST',
    web3,
    { chain: 'ethereum', message: 'x'.repeat(64), signature: '0x00' },
    [
      400,
      'validation_failed',
      'signature must be 65 bytes long, encoded as a 130 character-long hexadecimal string',
    ],
  ],
  [
    'no ID token, before its provider is looked for',
    'off',
    'POST',
    idToken,
    {},
    [400, 'validation_failed', 'id_token required'],
  ],
  [
    'an ID token without a provider',
    'off',
    'POST',
    idToken,
    { id_token: 'x' },
    [400, 'validation_failed', 'provider or client_id and issuer required'],
  ],
  [
    'a provider that is off, before the token is read',
    'off',
    'POST',
    idToken,
    { id_token: 'x', provider: 'google' },
    [400, 'provider_disabled', 'Provider "google" is not enabled'],
  ],
])('%s', async (_, which, method, path, body, refusal) => {
  const tenant = which === 'on' ? on : off
  const answer = await tenant.call(method as 'GET' | 'POST', path, body as object | undefined)
  const { error_code: code, msg } = (await answer.json()) as { error_code: string; msg: string }
  expect([answer.status, code, msg]).toEqual(refusal)
})

test('a message of a wallet: who signed it is asked before where and when it counts', async () => {
  const [mine, another] = [newEthereumWallet(), newEthereumWallet()]
  const { address } = mine
  const hours = (count: number) => new Date(Date.now() + count * 3_600_000)
  const elsewhere = { domain: 'evil.example', uri: 'https://evil.example/in' }
  const said = async (message: string, by = mine) => {
    const body = { chain: 'ethereum', message, signature: by.sign(message) }
    const answer = await on.call('POST', web3, body)
    return ((await answer.json()) as { msg: string }).msg
  }
  expect(await said(siwe({ address, ...elsewhere, issued: hours(-3) }), another)).toBe(
    'Signature does not match address in message',
  )
  expect(await said(siwe({ address, ...elsewhere, issued: hours(-3) }))).toBe(
    'Signed Ethereum message is using URI which is not allowed on this server, message was signed for another app',
  )
  expect(await said(siwe({ address, issued: hours(-3) }))).toBe(
    'Ethereum message was issued too long ago',
  )
  expect(await said(siwe({ address, issued: hours(3) }))).toBe(
    'Ethereum message was issued too far in the future',
  )
  const until = [`Expiration Time: ${hours(-1).toISOString()}`]
  expect(await said(siwe({ address, more: until }))).toBe('Signed Ethereum message is expired')
})

test('a code that proves again who one is, for somebody without a confirmed address', async () => {
  const tenant = await server.tenant('unproven', { mailerAutoconfirm: true })
  const email = 'ada@unproven.example'
  const password = 'correct horse 1'
  const answer = await tenant.call('POST', '/signup', { email, password })
  const { access_token: token } = (await answer.json()) as { access_token: string }
  const ask = async () => {
    const refused = await tenant.call('GET', '/reauthenticate', undefined, {
      authorization: `Bearer ${token}`,
    })
    const { error_code, msg } = (await refused.json()) as { error_code: string; msg: string }
    return [refused.status, error_code, msg]
  }
  await tenant.sql('update auth.users set email_confirmed_at = null')
  expect(await ask()).toEqual([422, 'email_not_confirmed', 'Please verify your email first.'])
  await tenant.sql('update auth.users set email = null')
  expect(await ask()).toEqual([
    400,
    'validation_failed',
    'Reauthentication requires the user to have an email or a phone number',
  ])
})
