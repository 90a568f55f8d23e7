import { createHmac, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { ServedSigningKey } from '#contract/internal'
import {
  hasSigned,
  jwkOfSecret,
  kidOfSecret,
  keySetOf,
  keySetOfKeys,
  keySetOfSecret,
} from './jwt-key-set.ts'

const pairs = {
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
  EdDSA: generateKeyPairSync('ed25519').privateKey,
}
const secret = Buffer.from('a shared secret that is long enough')
const text = 'header.payload'
const signatures = {
  HS256: createHmac('sha256', secret).update(text).digest(),
  RS256: sign('sha256', Buffer.from(text), pairs.RS256),
  ES256: sign('sha256', Buffer.from(text), { key: pairs.ES256, dsaEncoding: 'ieee-p1363' }),
  EdDSA: sign(null, Buffer.from(text), pairs.EdDSA),
}
const algorithms = ['HS256', 'RS256', 'ES256', 'EdDSA'] as const
type Status = ServedSigningKey['status']

const jwkOf = (key: KeyObject) => ({ ...key.export({ format: 'jwk' }) })
const served = (
  algorithm: (typeof algorithms)[number],
  status: Status = 'previously_used',
  kid: string = algorithm,
): ServedSigningKey => ({
  kid,
  algorithm,
  status,
  jwk: algorithm === 'HS256' ? jwkOfSecret(secret) : jwkOf(pairs[algorithm]),
})
const keySet = keySetOfKeys([
  served('HS256', 'in_use'),
  served('RS256', 'standby'),
  served('ES256'),
  served('EdDSA'),
])
const verifies = (alg: string, kid: string | undefined, signature: Buffer, signed = text) =>
  keySet.candidates({ alg, kid }).some((key) => hasSigned(key, signed, signature))

describe('a signature', () => {
  test.each(algorithms)('by %s is known by kid and without, and by no other key', (alg) => {
    expect(verifies(alg, alg, signatures[alg])).toBe(true)
    expect(verifies(alg, undefined, signatures[alg])).toBe(true)
    expect(verifies(alg, 'unknown', signatures[alg])).toBe(false)
    expect(verifies(alg, alg, signatures[alg], `${text}x`)).toBe(false)
    expect(verifies(alg, alg, Buffer.alloc(0))).toBe(false)
    for (const other of algorithms.filter((each) => each !== alg)) {
      // The key of the name is for another algorithm, whatever the header says.
      expect(verifies(other, alg, signatures[alg])).toBe(false)
      expect(verifies(alg, other, signatures[alg])).toBe(false)
      expect(verifies(other, undefined, signatures[alg])).toBe(false)
    }
  })

  test.each(['none', 'hs256', 'HS512', 'PS256', undefined])('in the way %s is none', (alg) => {
    expect(keySet.candidates({ alg })).toEqual([])
  })

  test('by a public key as a secret is none, in any form of the key', () => {
    const publicKey = createPublicKey(pairs.RS256)
    const forms = [
      publicKey.export({ type: 'spki', format: 'pem' }),
      publicKey.export({ type: 'spki', format: 'der' }),
      JSON.stringify(publicKey.export({ format: 'jwk' })),
    ]
    for (const form of forms) {
      const forged = createHmac('sha256', form).update(text).digest()
      for (const kid of ['RS256', 'HS256', undefined])
        expect(verifies('HS256', kid, forged)).toBe(false)
    }
  })
})

test('what is published is the public half and nothing else', () => {
  const published = keySet.keys.map(({ publicJwk }) => publicJwk)
  expect(published[0]).toBeUndefined()
  expect(published[2]).toEqual({
    kty: 'EC',
    crv: 'P-256',
    x: expect.any(String),
    y: expect.any(String),
    kid: 'ES256',
    alg: 'ES256',
    use: 'sig',
    key_ops: ['verify'],
    ext: true,
  })
  for (const jwk of published)
    for (const field of ['d', 'p', 'q', 'k']) expect(jwk?.[field]).toBe(undefined)
})

test('a key set needs a key in use; a public half is enough for the others', () => {
  expect(() => keySetOfKeys([served('ES256', 'standby')])).toThrow('None of the signing keys')
  const onlyPublic = { ...served('ES256'), jwk: jwkOf(createPublicKey(pairs.ES256)) }
  const [, es] = keySetOfKeys([served('HS256', 'in_use'), onlyPublic]).keys
  expect(es && hasSigned(es, text, signatures.ES256)).toBe(true)
})

test('a project without keys has its shared secret, and one key set for as long as it stays as it is', () => {
  const project = { jwtSecret: String(secret), signingKeys: [] }
  expect(keySetOf(project).current.kid).toBe(kidOfSecret(String(secret)))
  expect(keySetOf(project)).toBe(keySetOf(project))
  expect(keySetOf({ ...project })).not.toBe(keySetOf(project))
  const changed = { ...project, signingKeys: [served('EdDSA', 'in_use')] }
  expect(keySetOf(changed).current.algorithm).toBe('EdDSA')
})

test('fingerprints tell keys apart, also of two projects, and stay the same', () => {
  const all = [...keySet.keys, ...keySetOfSecret('another secret, long enough as well').keys]
  const fingerprints = all.map(({ fingerprint }) => fingerprint)
  expect(new Set(fingerprints).size).toBe(fingerprints.length)
  const [first = ''] = fingerprints
  expect(keySetOfSecret(String(secret)).holds(first)).toBe(true)
  expect(keySetOfSecret('another').holds(first)).toBe(false)
})
