import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { maxThirdParties, ThirdPartyAuth } from '#contract/auth/third-party-auth'
import { issuerKey, startIssuer, type Issuer } from '#kit/testing/issuer'
import { keyedRef, otherRef, startKeyedPlane, type KeyedPlane } from '../../testing/keys.ts'

let world: KeyedPlane
let issuer: Issuer
const url = `/v1/projects/${keyedRef}/config/auth/third-party-auth`
const key = issuerKey('ES256', 'one')
const jwks = { keys: [key.publicJwk] }
beforeAll(async () => {
  issuer = await startIssuer()
  world = await startKeyedPlane()
})
afterAll(async () => {
  await world?.end()
  await issuer?.close()
})
beforeEach(async () => {
  Object.assign(issuer, { keys: jwks.keys, name: undefined, status: undefined })
  await world.reset()
})

const add = (body: object, who = world.ada) => who.call('POST', url, body)
const list = async () => {
  const { body } = await world.ada.call('GET', url)
  return ThirdPartyAuth.array().parse(body)
}
const custom = (jwk: object) => ({ custom_jwks: { keys: [jwk] } })
const small = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({
  format: 'jwk',
})
const secret = { kty: 'oct', kid: 's', k: randomBytes(32).toString('base64url') }

test.each<[string, object, string]>([
  ['nothing', {}, 'oidc_issuer_url: set an issuer'],
  ['no address', { oidc_issuer_url: 'example' }, 'oidc_issuer_url'],
  ['an address that runs code', { jwks_url: 'javascript://x/%0aalert(1)' }, 'jwks_url'],
  ['plain http', { oidc_issuer_url: 'http://example.com' }, 'must start with https://'],
  ['the inner network', { jwks_url: 'https://10.0.0.1/keys' }, 'is not a public address'],
  ['a password in it', { jwks_url: 'https://a:b@example.com/' }, 'user name or password'],
  ['two sets of keys', { jwks_url: 'https://example.com', custom_jwks: jwks }, 'not both'],
  [
    'the project itself',
    { oidc_issuer_url: `http://localhost:8001/${keyedRef}/auth/v1/`, custom_jwks: jwks },
    'already accepts its own tokens',
  ],
  ['keys as a text', { custom_jwks: 'keys' }, 'custom_jwks: must be a set of keys'],
  ['no keys', { custom_jwks: { keys: [] } }, 'custom_jwks: must be a set of keys'],
  ['very many keys', { custom_jwks: { keys: Array(51).fill(key.publicJwk) } }, '50 keys at most'],
  ['very long keys', custom({ ...key.publicJwk, x5c: 'x'.repeat(60_000) }), 'is too long'],
  ['a shared secret', custom(secret), 'key 1: it must be a public key for RS256, ES256 or EdDSA'],
  [
    'a private key',
    custom({ ...key.privateKey.export({ format: 'jwk' }), kid: 'one' }),
    'key 1: it is a private key',
  ],
  ['a key without a name', custom({ ...key.publicJwk, kid: undefined }), 'key 1: kid is missing'],
  ['a key to encrypt', custom({ ...key.publicJwk, use: 'enc' }), 'key 1: use is not "sig"'],
  ['a key for another algorithm', custom({ ...key.publicJwk, alg: 'HS256' }), 'key 1: it must be'],
  ['a key that is none', custom({ ...key.publicJwk, x: 'x' }), 'key 1: it cannot be read'],
  ['a weak key', custom({ ...small, kid: 'small' }), 'at least 2048 bits'],
  ['a name twice', { custom_jwks: { keys: [key.publicJwk, key.publicJwk] } }, 'a kid of its own'],
])('%s is refused, by name', async (_, body, said) => {
  const answer = await add(body)
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
  expect(answer.body['message']).toContain(said)
  expect(await list()).toEqual([])
})

test.each<[string, () => void, string]>([
  ['does not answer well', () => (issuer.status = 500), 'it answers 500'],
  ['is another one', () => (issuer.name = 'https://example.com'), 'describes another issuer'],
  ['has no key that we know', () => (issuer.keys = [secret]), 'there is no key for RS256'],
])('an issuer that %s is refused', async (_, fault, said) => {
  fault()
  const answer = await add({ oidc_issuer_url: issuer.url })
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
  expect(answer.body['message']).toContain(said)
})

test.each([
  ['Owner', 201],
  ['Administrator', 201],
  ['Developer', 403],
  ['Read-only', 403],
] as const)('%s sees integrations; adding one is %i', async (role, status) => {
  const member = world.memberAs(role)
  const own = await add({ custom_jwks: jwks })
  const one = `${url}/${String(own.body['id'])}`
  expect((await member.call('GET', url)).status).toBe(200)
  expect((await member.call('GET', one)).status).toBe(200)
  expect((await add({ custom_jwks: jwks }, member)).status).toBe(status)
  expect((await member.call('DELETE', one)).status).toBe(status === 201 ? 200 : 403)
})

test('nobody without a session, and nobody from elsewhere, comes near', async () => {
  const { body } = await add({ custom_jwks: jwks })
  const one = `${url}/${String(body['id'])}`
  for (const [method, address, sent] of [
    ['GET', url],
    ['POST', url, { custom_jwks: jwks }],
    ['GET', one],
    ['DELETE', one],
  ] as const) {
    expect((await world.plane.app.inject({ method, url: address })).statusCode).toBe(401)
    const answer = await world.stranger.call(method, address, sent)
    expect(answer).toMatchObject({ status: 404, body: { code: 'project_not_found' } })
  }
  for (const method of ['GET', 'DELETE'] as const) {
    const elsewhere = await world.ada.call(method, one.replace(keyedRef, otherRef))
    expect(elsewhere.body['code']).toBe('third_party_auth_not_found')
    expect((await world.ada.call(method, `${url}/none`)).status).toBe(400)
  }
  expect(await list()).toHaveLength(1)
})

test('an issuer is added, told to the data plane with its keys, and removed again', async () => {
  const added = await add({ oidc_issuer_url: `${issuer.url}/` })
  expect(added).toMatchObject({
    status: 201,
    body: {
      type: 'custom',
      oidc_issuer_url: issuer.url,
      jwks_url: null,
      custom_jwks: null,
      resolved_jwks: { keys: [{ kid: 'one', kty: 'EC', alg: 'ES256' }] },
      resolved_at: expect.any(String),
    },
  })
  expect(await list()).toEqual([added.body])
  expect(await add({ oidc_issuer_url: issuer.url })).toMatchObject({
    status: 409,
    body: { code: 'third_party_auth_exists' },
  })
  const id = String(added.body['id'])
  expect((await world.served()).thirdPartyAuth).toMatchObject([
    { id, issuer: issuer.url, audience: null, jwksUrl: null, isFixed: false },
  ])
  expect((await world.served(otherRef)).thirdPartyAuth).toEqual([])
  expect(await world.ada.call('DELETE', `${url}/${id}`)).toMatchObject({
    status: 200,
    body: added.body,
  })
  expect((await world.served()).thirdPartyAuth).toEqual([])
  expect((await world.ada.call('DELETE', `${url}/${id}`)).status).toBe(404)
  const about = { id, type: 'custom', oidc_issuer_url: issuer.url, jwks_url: null }
  expect(await world.audited('thirdPartyAuth')).toMatchObject([
    { action: 'thirdPartyAuth.create', change: { after: about } },
    { action: 'thirdPartyAuth.remove', change: { before: about } },
  ])
})

test.each([
  ['https://securetoken.google.com/shop-1234', 'firebase', 'shop-1234'],
  ['https://shop.eu.auth0.com/', 'auth0', null],
  ['https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Abc', 'awsCognito', null],
  ['https://wise-owl-1.clerk.accounts.dev', 'clerk', null],
  ['https://clerk.example.com', 'clerk', null],
  ['https://api.workos.com/user_management/client_1', 'workos', null],
  ['https://securetoken.google.com.example.com/x', 'custom', null],
])('%s is known as %s', async (address, type, audience) => {
  const added = await add({ oidc_issuer_url: address, custom_jwks: jwks })
  expect(added).toMatchObject({ status: 201, body: { type, custom_jwks: jwks2 } })
  expect((await world.served()).thirdPartyAuth).toMatchObject([{ audience, isFixed: true }])
})
/** What is kept of a key: nothing but its public fields. */
const jwks2 = { keys: [{ kid: 'one', x: key.publicJwk['x'] }] }

test('a project has only so many, also when several are added at once', async () => {
  const all = await Promise.all(
    Array.from({ length: maxThirdParties + 2 }, () => add({ custom_jwks: jwks })),
  )
  expect(all.filter(({ status }) => status === 201)).toHaveLength(maxThirdParties)
  const [one] = all.filter(({ status }) => status !== 201)
  expect(one).toMatchObject({ status: 409, body: { code: 'too_many_third_party_auths' } })
})
