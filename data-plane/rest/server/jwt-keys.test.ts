import { constants, createHmac, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { expect, test } from 'vitest'
import { isSigned, readKeys } from './jwt-keys.ts'

const text = 'header.payload'
const data = Buffer.from(text)
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' })
const ed = generateKeyPairSync('ed25519')
const jwkOf = (key: KeyObject, more: object = {}) => ({ ...key.export({ format: 'jwk' }), ...more })
const set = (...keys: object[]) => readKeys(Buffer.from(JSON.stringify({ keys })))
const ecSignature = (key: KeyObject, hash: string) =>
  sign(hash, data, { key, dsaEncoding: 'ieee-p1363' })

const signatures: Record<string, Buffer> = {
  RS256: sign('sha256', data, rsa.privateKey),
  PS384: sign('sha384', data, {
    key: rsa.privateKey,
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: 48,
  }),
  ES256: ecSignature(p256.privateKey, 'sha256'),
  ES384: ecSignature(p384.privateKey, 'sha384'),
  EdDSA: sign(null, data, ed.privateKey),
  HS512: createHmac('sha512', 'k'.repeat(64)).update(text).digest(),
}
const oct = { kty: 'oct', k: Buffer.from('k'.repeat(64)).toString('base64url') }
const all = set(...[rsa, p256, p384, ed].map(({ publicKey }) => jwkOf(publicKey)), oct)

test.each(Object.keys(signatures))('%s', (alg) => {
  const signature = signatures[alg] ?? Buffer.alloc(0)
  expect(isSigned(all, { alg }, text, signature)).toBe(true)
  expect(isSigned(all, { alg }, `${text}x`, signature)).toBe(false)
  for (const other of [...Object.keys(signatures), 'none', 'HS256']) {
    if (other !== alg) expect(isSigned(all, { alg: other }, text, signature)).toBe(false)
  }
})

test('a public key is no secret', () => {
  const pem = rsa.publicKey.export({ type: 'spki', format: 'pem' })
  const forged = createHmac('sha256', pem).update(text).digest()
  expect(isSigned(set(jwkOf(rsa.publicKey)), { alg: 'HS256' }, text, forged)).toBe(false)
})

test('a key with a name is meant by it, and one with an algorithm is for that alone', () => {
  const signature = signatures['ES256'] ?? Buffer.alloc(0)
  const [right, wrong] = [jwkOf(p256.publicKey, { kid: 'a' }), jwkOf(p384.publicKey, { kid: 'b' })]
  const asked = (kid?: string) =>
    isSigned(set(right, wrong), { alg: 'ES256', kid }, text, signature)
  expect([asked('a'), asked('b'), asked('c'), asked()]).toEqual([true, false, true, true])
  const other = set(jwkOf(rsa.publicKey, { alg: 'RS512' }))
  expect(isSigned(other, { alg: 'RS256' }, text, signatures['RS256'] ?? data)).toBe(false)
})

test('a plain secret signs with HS256 only', () => {
  const keys = readKeys(Buffer.from('k'.repeat(64)))
  const mac = (hash: string) => createHmac(hash, 'k'.repeat(64)).update(text).digest()
  expect(isSigned(keys, { alg: 'HS256' }, text, mac('sha256'))).toBe(true)
  expect(isSigned(keys, { alg: 'HS512' }, text, mac('sha512'))).toBe(false)
  expect(isSigned(keys, {}, text, mac('sha256'))).toBe(false)
})

test.each(['short', '{"keys":[1]}', '{"kty":"oct"}', '{"kty":"EC","crv":"P-256"}'])(
  'no secret: %s',
  (secret) => {
    expect(() => readKeys(Buffer.from(secret))).toThrow(/must be at least|holds a/)
  },
)
