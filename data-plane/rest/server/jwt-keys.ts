import { createHmac, createPublicKey, timingSafeEqual, verify, constants } from 'node:crypto'
import type { JsonWebKey, KeyObject } from 'node:crypto'

/** One key that tokens may be signed with. */
type Key = {
  id: string | undefined
  /** The one algorithm it is for; without it all that its kind can. */
  algorithm: string | undefined
  /** Bytes of a secret, or a public key. */
  material: Buffer | KeyObject
}
export type JwtKeys = readonly Key[]

/** The text cannot be used as a secret; the message says why. */
export class SecretError extends Error {}

/** A secret, one JWK or a set of them. @throws SecretError */
export function readKeys(secret: Buffer): JwtKeys {
  const json = parsed(secret.toString())
  if (json === undefined) {
    if (secret.length < 32) throw new SecretError('must be at least 32 characters long')
    return [{ id: undefined, algorithm: 'HS256', material: secret }]
  }
  const keys = Array.isArray(json['keys']) ? (json['keys'] as unknown[]) : [json]
  return keys.map((key) => {
    if (typeof key !== 'object' || key === null) throw new SecretError('holds a key that is no JWK')
    // Its fields are looked at one by one.
    return keyOf(key as Record<string, unknown>)
  })
}

/** An object that is a JWK or a set of them. Any other text is a secret. */
function parsed(text: string): Record<string, unknown> | undefined {
  if (!text.trimStart().startsWith('{')) return undefined
  try {
    const value = JSON.parse(text) as Record<string, unknown>
    return 'kty' in value || 'keys' in value ? value : undefined
  } catch {
    return undefined
  }
}

function keyOf(jwk: Record<string, unknown>): Key {
  const textOf = (name: string) => (typeof jwk[name] === 'string' ? jwk[name] : undefined)
  const [id, algorithm, secret] = [textOf('kid'), textOf('alg'), textOf('k')]
  if (jwk['kty'] === 'oct') {
    if (!secret) throw new SecretError('holds a JWK of kind "oct" without "k"')
    return { id, algorithm, material: Buffer.from(secret, 'base64url') }
  }
  try {
    const material = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' })
    return { id, algorithm, material }
  } catch {
    throw new SecretError(`holds a JWK of kind "${String(jwk['kty'])}" that cannot be read`)
  }
}

const curves: Record<string, string> = {
  ES256: 'prime256v1',
  ES384: 'secp384r1',
  ES512: 'secp521r1',
}

/** Whether one of the keys has signed `text`, in the way that the token's header says. */
export function isSigned(
  keys: JwtKeys,
  { alg, kid }: Record<string, unknown>,
  text: string,
  signature: Buffer,
): boolean {
  if (typeof alg !== 'string') return false
  const named = keys.filter((key) => key.id !== undefined && key.id === kid)
  return (named.length > 0 ? named : keys).some(
    ({ algorithm, material }) =>
      (algorithm === undefined || algorithm === alg) && fits(material, alg, text, signature),
  )
}

/** The kind of the key decides what it can check: a public key is never taken for a secret. */
function fits(material: Key['material'], alg: string, text: string, signature: Buffer): boolean {
  const [, family = '', bits = ''] = /^(HS|RS|PS|ES)(256|384|512)$/.exec(alg) ?? []
  if (Buffer.isBuffer(material)) {
    if (family !== 'HS') return false
    const expected = createHmac(`sha${bits}`, material).update(text).digest()
    return expected.length === signature.length && timingSafeEqual(expected, signature)
  }
  const [kind, data, hash] = [material.asymmetricKeyType, Buffer.from(text), `sha${bits}`]
  if (kind === 'rsa' && family === 'RS') return verify(hash, data, material, signature)
  if (kind === 'rsa' && family === 'PS') {
    const padding = constants.RSA_PKCS1_PSS_PADDING
    const saltLength = constants.RSA_PSS_SALTLEN_DIGEST
    return verify(hash, data, { key: material, padding, saltLength }, signature)
  }
  if (kind === 'ec' && material.asymmetricKeyDetails?.namedCurve === curves[alg]) {
    return verify(hash, data, { key: material, dsaEncoding: 'ieee-p1363' }, signature)
  }
  return kind === 'ed25519' && alg === 'EdDSA' && verify(null, data, material, signature)
}
