import { generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { signingAlgorithms, type SigningAlgorithm } from '#contract/projects/signing-keys'
import { ApiError } from '#kit/errors'
import { keySetOfKeys } from '#kit/jwt-key-set'
import { algorithmOf, newPrivateJwk, readPrivateJwk } from './private-jwk.ts'

const jwkOf = (key: KeyObject) => ({ ...key.export({ format: 'jwk' }) })
const ec = (namedCurve = 'P-256') => jwkOf(generateKeyPairSync('ec', { namedCurve }).privateKey)
const rsa = (modulusLength = 2048) => generateKeyPairSync('rsa', { modulusLength })
const ed = () => generateKeyPairSync('ed25519')
const oct = (bytes: number) => ({ kty: 'oct', k: randomBytes(bytes).toString('base64url') })

function refusalOf(algorithm: SigningAlgorithm, jwk: object): string {
  try {
    readPrivateJwk(algorithm, { ...jwk })
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_input') return error.message
    throw error
  }
  return 'taken'
}

describe('an import is refused', () => {
  const [one, two] = [ec(), ec()]
  test.each<[string, SigningAlgorithm, object, string]>([
    ['a public key', 'ES256', { ...ec(), d: undefined }, 'not private'],
    [
      'halves that do not belong together',
      'EdDSA',
      { ...jwkOf(ed().privateKey), x: jwkOf(ed().publicKey)['x'] },
      'does not belong',
    ],
    ['halves of two keys of a curve', 'ES256', { ...one, x: two['x'], y: two['y'] }, 'not belong'],
    ['a key for another algorithm', 'RS256', ec(), 'kty "RSA"'],
    ['one that says so itself', 'ES256', { ...ec(), alg: 'ES384' }, 'alg is not ES256'],
    ['another curve', 'ES256', ec('P-384'), 'crv "P-256"'],
    ['a key for encryption', 'ES256', { ...ec(), use: 'enc' }, 'use'],
    ['a short RSA key', 'RS256', jwkOf(rsa(1024).privateKey), '2048'],
    ['a short secret', 'HS256', oct(31), '32 to 512 bytes'],
    ['a long secret', 'HS256', oct(513), '32 to 512 bytes'],
    ['a public RSA key as secret', 'HS256', jwkOf(rsa().publicKey), 'kty "oct"'],
    ['a secret in other letters', 'HS256', { kty: 'oct', k: 'ä'.repeat(60) }, 'base64url'],
    ['a name that no header holds', 'EdDSA', { ...jwkOf(ed().privateKey), kid: 'a\nb' }, 'kid'],
    ['a long name', 'EdDSA', { ...jwkOf(ed().privateKey), kid: 'a'.repeat(201) }, 'kid'],
    ['nothing of a key', 'EdDSA', {}, 'kty "OKP"'],
    ['a text for d', 'ES256', { ...ec(), d: 'x' }, 'cannot be read'],
  ])('%s', (_, algorithm, jwk, said) => {
    const refusal = refusalOf(algorithm, jwk)
    expect(refusal).toMatch(/^private_jwk: /)
    expect(refusal).toContain(said)
    for (const value of Object.values(jwk))
      if (typeof value === 'string' && value.length > 20) expect(refusal).not.toContain(value)
  })
})

test.each(signingAlgorithms)('a new key for %s can be imported, and serves', async (algorithm) => {
  const made = await newPrivateJwk(algorithm)
  const more = { ...made, alg: algorithm, use: 'sig', kid: 'mine', x5u: 'http://evil.example' }
  const { jwk, kid } = readPrivateJwk(algorithm, more)
  expect(kid).toBe('mine')
  expect(jwk).toEqual(made)
  const keySet = keySetOfKeys([{ kid: 'mine', algorithm, status: 'in_use', jwk }])
  expect(keySet.current.algorithm).toBe(algorithm)
  expect(await newPrivateJwk(algorithm)).not.toEqual(made)
})

test('a key that does not say what it is for is for nothing', () => {
  expect(() => algorithmOf(ec())).toThrow('alg must be one of')
  expect(algorithmOf({ ...ec(), alg: 'ES256' })).toBe('ES256')
})
