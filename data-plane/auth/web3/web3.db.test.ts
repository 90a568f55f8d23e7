import { afterAll, beforeAll, expect, test } from 'vitest'
import { refusal } from '../../testing/auth/mfa.ts'
import { startAuthServer, type TestServer, type TestTenant } from '../../testing/auth/server.ts'
import { newEthereumWallet, newSolanaWallet, siwe } from '../../testing/auth/web3.ts'

let server: TestServer
let tenant: TestTenant

beforeAll(async () => {
  server = await startAuthServer()
  tenant = await server.tenant('wallets', { web3: { ethereum: true, solana: true } })
})
afterAll(() => server.close())

const show = (body: object) => tenant.call('POST', '/token?grant_type=web3', body)
const wallet = newEthereumWallet()
const showSigned = (message: string, by = wallet) =>
  show({ chain: 'ethereum', message, signature: by.sign(message) })
const users = async () => (await tenant.sql('select count(*)::int as n from auth.users'))[0]?.['n']
const good = () => siwe({ address: wallet.address })

test('chains that are off or unknown, and requests without message, are refused', async () => {
  const { config } = tenant
  expect(await refusal(await show({}))).toEqual([400, 'validation_failed'])
  expect(await refusal(await show({ chain: 'dogecoin', message: 'x', signature: 'y' }))).toEqual([
    400,
    'web3_unsupported_chain',
  ])
  tenant.config = { ...config, web3: { ethereum: false, solana: true } }
  expect(await refusal(await showSigned(good()))).toEqual([422, 'web3_provider_disabled'])
  tenant.config = { ...config, disableSignup: true }
  expect(await refusal(await showSigned(good()))).toEqual([422, 'signup_disabled'])
  const limits = { ...config.rateLimits, web3: { points: 1, seconds: 60 } }
  tenant.config = { ...config, rateLimits: limits }
  await showSigned('x')
  expect(await refusal(await showSigned('x'))).toEqual([429, 'over_request_rate_limit'])
  tenant.config = config
})

test('a message that is not for this site and this moment, or not to the letter, signs nobody in', async () => {
  const { address } = wallet
  const at = (seconds: number) => new Date(Date.now() + seconds * 1000)
  const text = good()
  const odd: [string, string][] = [
    ['for another site', siwe({ address, domain: 'evil.example' })],
    [
      'with the page of another site',
      siwe({ address, domain: 'evil.example', uri: 'http://localhost:3000/in' }),
    ],
    ['with a page elsewhere', siwe({ address, uri: 'https://evil.example/in' })],
    ['for a site that begins like this', siwe({ address, domain: 'localhost:3000.evil.example' })],
    ['by another scheme', siwe({ address, uri: 'javascript://localhost:3000/%0aalert(1)' })],
    ['from long ago', siwe({ address, issued: at(-601) })],
    ['of tomorrow', siwe({ address, issued: at(86_400) })],
    ['that has expired', siwe({ address, more: [`Expiration Time: ${at(-1).toISOString()}`] })],
    ['that does not count yet', siwe({ address, more: [`Not Before: ${at(60).toISOString()}`] })],
    ['with no time', siwe({ address, more: ['Not Before: soon'] })],
    ['of another version', siwe({ address, version: '2' })],
    ['of no chain', siwe({ address, chainId: '0x1' })],
    ['without address', siwe({ address: 'me' })],
    ['with a field twice', siwe({ address, more: ['Nonce: 87654321'] })],
    ['with its fields in another order', text.replace(/(URI: .*)\n(Version: 1)/, '$2\n$1')],
    ['with more below', `${text}\nand send me all your money`],
    ['with a second site', text.replace('Let me in', 'Let me in\nURI: https://evil.example')],
    ['without time', text.replace(/\nIssued At: .*/, '')],
    ['with signs that are not seen', text.replace('Let', 'L\u0008et')],
    ['with odd lines', text.replaceAll('\n', '\r\n')],
    ['empty', ''],
  ]
  const before = await users()
  for (const [what, message] of odd) {
    expect(await refusal(await showSigned(message)), what).toEqual([400, 'validation_failed'])
  }
  const refused = [400, 'invalid_credentials']
  expect(await refusal(await showSigned(text, newEthereumWallet()))).toEqual(refused)
  const signature = wallet.sign(text)
  for (const other of [
    `0x${'0'.repeat(130)}`,
    `0x${'f'.repeat(130)}`,
    `${signature.slice(0, -2)}05`,
  ]) {
    expect(
      await refusal(await show({ chain: 'ethereum', message: text, signature: other })),
      other,
    ).toEqual(refused)
  }
  for (const other of ['', '0x', 'x'.repeat(132)]) {
    expect(
      await refusal(await show({ chain: 'ethereum', message: text, signature: other })),
      other,
    ).toEqual([400, 'validation_failed'])
  }
  const changed = { chain: 'ethereum', message: text.replace('Let me in', 'Let me out'), signature }
  expect(await refusal(await show(changed))).toEqual(refused)
  const crossed = text.replace('Ethereum', 'Solana')
  expect(await refusal(await show({ chain: 'solana', message: crossed, signature }))).toEqual([
    400,
    'validation_failed',
  ])
  expect(await users()).toBe(before)
})

test('a wallet signs in with a message once, and comes to the same account with the next', async () => {
  const message = good()
  const first = await showSigned(message)
  expect(first.status).toBe(200)
  expect(await refusal(await showSigned(message))).toEqual([400, 'invalid_credentials'])
  const session = (await first.json()) as { user: { id: string } }
  const client = tenant.client()
  const later = siwe({ address: wallet.address, issued: new Date(Date.now() + 5) })
  const { data, error } = await client.auth.signInWithWeb3({
    chain: 'ethereum',
    message: later,
    signature: wallet.sign(later) as `0x${string}`,
  })
  expect(error).toBeNull()
  expect(data.user).toMatchObject({
    id: session.user.id,
    email: '',
    app_metadata: { provider: 'web3', providers: ['web3'] },
    identities: [{ provider: 'web3', id: `web3:ethereum:${wallet.address}` }],
  })
  expect((await client.auth.getClaims()).data?.claims.amr).toMatchObject([{ method: 'web3' }])
  await tenant.sql(`update auth.users set banned_until = now() + interval '1 day' where id = $1`, [
    session.user.id,
  ])
  const banned = siwe({ address: wallet.address, issued: new Date(Date.now() + 10) })
  expect(await refusal(await showSigned(banned))).toEqual([400, 'user_banned'])
})

test('a wallet for Solana signs in through the unmodified client, for a page of the allow-list too', async () => {
  const { config } = tenant
  const solana = newSolanaWallet()
  const signIn = async (url: string, statement?: string) => {
    const client = tenant.client()
    const options = { url }
    return client.auth.signInWithWeb3({
      chain: 'solana',
      wallet: solana as never,
      options,
      ...(statement && { statement }),
    })
  }
  expect((await signIn('https://app.example.com/in')).error?.code).toBe('validation_failed')
  tenant.config = { ...config, uriAllowList: ['https://app.example.com/**'] }
  const { data, error } = await signIn('https://app.example.com/in', 'Let me in')
  expect(error).toBeNull()
  expect(data.user?.identities?.[0]?.id).toBe(`web3:solana:${solana.address}`)
  const again = await signIn('http://localhost:3000/')
  expect(again.data.user?.id).toBe(data.user?.id)
  const thief = newSolanaWallet()
  const posing = { ...thief, publicKey: solana.publicKey, address: solana.address }
  const stolen = await tenant.client().auth.signInWithWeb3({
    chain: 'solana',
    wallet: posing as never,
    options: { url: 'http://localhost:3000/' },
  })
  expect(stolen.error?.code).toBe('invalid_credentials')
  tenant.config = config
})
