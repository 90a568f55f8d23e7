import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  timingSafeEqual,
  verify,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto'
import type { ServedSigningKey } from '#contract/internal'
import type { SigningAlgorithm } from '#contract/projects/signing-keys'

/** One key, ready for use. */
export type JwtKey = {
  kid: string
  algorithm: SigningAlgorithm
  /** The secret, or the public half. */
  verifies: KeyObject
  /** Tells it from every other key that there is. */
  fingerprint: string
  /** What others may know of it; undefined for a secret. */
  publicJwk: Record<string, unknown> | undefined
}

/** The keys that tokens of one project are signed and verified by. */
export type JwtKeySet = {
  /** What tokens are signed by now. */
  current: JwtKey & { signs: KeyObject }
  keys: readonly JwtKey[]
  /**
   * The keys that a token with this header can have been signed by. A token only ever names one of our keys, it never
   * brings one along; and the key says which algorithm it is for, the header has to agree.
   */
  candidates(header: { alg?: unknown; kid?: unknown }): readonly JwtKey[]
  /** Whether the key of this fingerprint is one of them. */
  holds(fingerprint: string): boolean
}

type Keyed = { jwtSecret: string; signingKeys: readonly ServedSigningKey[] }

const known = new WeakMap<object, JwtKeySet>()

/** The key set of what the data plane knows of a project; made once for as long as that is known. */
export function keySetOf(project: Keyed): JwtKeySet {
  const found = known.get(project)
  if (found) return found
  const { signingKeys, jwtSecret } = project
  const keySet = signingKeys.length > 0 ? keySetOfKeys(signingKeys) : keySetOfSecret(jwtSecret)
  known.set(project, keySet)
  return keySet
}

/** A key set of one shared secret. */
export const keySetOfSecret = (secret: string): JwtKeySet =>
  keySetOfKeys([
    {
      kid: kidOfSecret(secret),
      algorithm: 'HS256',
      status: 'in_use',
      jwk: jwkOfSecret(Buffer.from(secret)),
    },
  ])

/** @throws Error when no key is in use, or one cannot be read. */
export function keySetOfKeys(served: readonly ServedSigningKey[]): JwtKeySet {
  const keys = served.map(readKey)
  const at = served.findIndex(({ status }) => status === 'in_use')
  const [current, own] = [keys[at], served[at]]
  if (!current || !own) throw new Error('None of the signing keys is in use')
  const fingerprints = new Set(keys.map(({ fingerprint }) => fingerprint))
  return {
    keys,
    holds: (fingerprint) => fingerprints.has(fingerprint),
    current: { ...current, signs: signerOf(own) },
    candidates: ({ alg, kid }) =>
      keys.filter((key) => key.algorithm === alg && (kid === undefined || key.kid === kid)),
  }
}

/** What tokens name a shared secret by, which tells nothing about it. */
export const kidOfSecret = (secret: string): string =>
  createHash('sha256').update(`kid\0${secret}`).digest('base64url').slice(0, 16)

export const jwkOfSecret = (secret: Buffer) => ({
  kty: 'oct',
  alg: 'HS256',
  k: secret.toString('base64url'),
})

/** The fields of a JWK that others may see. */
const publicFields = ['kty', 'n', 'e', 'crv', 'x', 'y'] as const

/** What is published of a private or public JWK. */
export function publicJwkOf({ kid, algorithm, jwk }: Omit<ServedSigningKey, 'status'>) {
  const own = publicFields.filter((field) => jwk[field] !== undefined)
  return {
    ...Object.fromEntries(own.map((field) => [field, jwk[field]])),
    kid,
    alg: algorithm,
    use: 'sig',
    key_ops: ['verify'],
    ext: true,
  }
}

function readKey(served: ServedSigningKey): JwtKey {
  const { kid, algorithm, jwk } = served
  if (algorithm !== 'HS256') return publicKeyOf(served)
  const verifies = secretOf(jwk)
  return { kid, algorithm, verifies, fingerprint: fingerprintOf(verifies), publicJwk: undefined }
}

/** The public half of a key, ready to verify. @throws Error when it cannot be read */
export function publicKeyOf(served: Omit<ServedSigningKey, 'status'>): JwtKey {
  const { kid, algorithm } = served
  const publicJwk = publicJwkOf(served)
  // The fields were chosen above; whether they make a key is for the reader to say.
  const verifies = createPublicKey({ key: publicJwk as JsonWebKey, format: 'jwk' })
  return { kid, algorithm, verifies, fingerprint: fingerprintOf(verifies), publicJwk }
}

function signerOf({ algorithm, jwk }: ServedSigningKey): KeyObject {
  if (algorithm === 'HS256') return secretOf(jwk)
  // Checked when it was made or imported; a key that cannot be read is an Error here.
  return createPrivateKey({ key: jwk as JsonWebKey, format: 'jwk' })
}

function fingerprintOf(key: KeyObject): string {
  const bytes = key.type === 'secret' ? key.export() : key.export({ type: 'spki', format: 'der' })
  return createHash('sha256').update(`${key.type}\0`).update(bytes).digest('base64url')
}

const secretOf = (jwk: Record<string, unknown>): KeyObject =>
  createSecretKey(Buffer.from(String(jwk['k']), 'base64url'))

/** Whether the key has signed `text`. Its kind decides how that is checked: a public key is never taken for a secret. */
export function hasSigned({ algorithm, verifies }: JwtKey, text: string, signature: Buffer) {
  const data = Buffer.from(text)
  switch (algorithm) {
    case 'HS256': {
      const expected = createHmac('sha256', verifies).update(text).digest()
      return signature.length === expected.length && timingSafeEqual(signature, expected)
    }
    case 'RS256':
      return verify('sha256', data, verifies, signature)
    case 'ES256':
      return verify('sha256', data, { key: verifies, dsaEncoding: 'ieee-p1363' }, signature)
    case 'EdDSA':
      return verify(null, data, verifies, signature)
  }
}
