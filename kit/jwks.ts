import { plainIssuer, type Jwks } from '#contract/auth/third-party-auth'
import type { SigningAlgorithm } from '#contract/projects/signing-keys'
import { publicKeyOf, type JwtKey } from './jwt-key-set.ts'
import { RefusedFetch, type SafeFetch } from './network/safe-fetch.ts'

/** Keys could not be read; the message is fit for whoever named them. */
export class JwksError extends Error {}

/** Where an issuer's keys are: behind its own description, or at an address. */
export type JwksPlace = { issuer: string | null; jwksUrl: string | null }

/** Most keys of one set. Those of the large providers have two to four. */
const maxKeys = 50
const leastRsaBits = 2048

/** The keys at an address, as the answer has them. @throws JwksError */
export async function fetchJwks(fetch: SafeFetch, { issuer, jwksUrl }: JwksPlace): Promise<Jwks> {
  const address = jwksUrl ?? (await discoveredIn(fetch, plainIssuer(issuer ?? '')))
  const { keys } = await readJson(fetch, address)
  if (!Array.isArray(keys)) throw new JwksError(`${address} holds no set of keys`)
  if (keys.length > maxKeys) throw new JwksError(`${address} holds more than ${maxKeys} keys`)
  return { keys: keys.filter(isObject) }
}

async function discoveredIn(fetch: SafeFetch, issuer: string): Promise<string> {
  const address = `${issuer}/.well-known/openid-configuration`
  const described = await readJson(fetch, address)
  // One issuer could otherwise stand at the address of another.
  if (typeof described['issuer'] !== 'string' || plainIssuer(described['issuer']) !== issuer)
    throw new JwksError(`${address} describes another issuer`)
  if (typeof described['jwks_uri'] !== 'string')
    throw new JwksError(`${address} does not say where its keys are`)
  return described['jwks_uri']
}

async function readJson(fetch: SafeFetch, address: string): Promise<Record<string, unknown>> {
  let response: Response
  try {
    response = await fetch(address, { headers: { accept: 'application/json' } })
  } catch (error) {
    const why = error instanceof RefusedFetch ? error.message : 'it does not answer'
    throw new JwksError(`${address} cannot be read: ${why}`, { cause: error })
  }
  if (response.status !== 200)
    throw new JwksError(`${address} cannot be read: it answers ${response.status}`)
  const body: unknown = await response.json().catch(() => undefined)
  if (!isObject(body)) throw new JwksError(`${address} cannot be read: it answers no JSON object`)
  return body
}

/** Those of the keys that tokens can be verified by; others of the set are for something else. */
export const verifyingKeys = ({ keys }: Jwks): JwtKey[] =>
  keys.flatMap((jwk) => {
    const key = verifyingKey(jwk)
    return typeof key === 'string' ? [] : [key]
  })

/**
 * The public fields of keys that people bring along. Each has to be one that tokens can be verified by.
 * @throws JwksError
 */
export function readCustomJwks(value: unknown): Jwks {
  const { keys } = isObject(value) ? value : {}
  if (!Array.isArray(keys) || keys.length === 0)
    throw new JwksError('must be a set of keys: {"keys": […]}')
  if (keys.length > maxKeys) throw new JwksError(`must hold ${maxKeys} keys at most`)
  const read = keys.map((jwk: unknown, at) => {
    const key = isObject(jwk) ? readPublic(jwk) : 'it is no object'
    if (typeof key === 'string') throw new JwksError(`key ${at + 1}: ${key}`)
    return key
  })
  if (new Set(read.map(({ kid }) => kid)).size < read.length)
    throw new JwksError('every key needs a kid of its own')
  return { keys: read.map(({ publicJwk }) => publicJwk ?? {}) }
}

const readPublic = (jwk: Record<string, unknown>): JwtKey | string =>
  jwk['kty'] !== 'oct' && jwk['d'] !== undefined
    ? 'it is a private key; give the public one only'
    : verifyingKey(jwk)

/** The key, or why tokens cannot be verified by it. */
function verifyingKey(jwk: Record<string, unknown>): JwtKey | string {
  const { kid, use, key_ops: does } = jwk
  if (typeof kid !== 'string' || kid === '') return 'kid is missing'
  if (use !== undefined && use !== 'sig') return 'use is not "sig"'
  if (Array.isArray(does) && !does.includes('verify')) return 'key_ops does not hold "verify"'
  const algorithm = algorithmOf(jwk)
  if (!algorithm) return 'it must be a public key for RS256, ES256 or EdDSA'
  try {
    const key = publicKeyOf({ kid, algorithm, jwk })
    const bits = key.verifies.asymmetricKeyDetails?.modulusLength
    if (bits !== undefined && bits < leastRsaBits)
      return `an RSA key must have at least ${leastRsaBits} bits`
    return key
  } catch {
    return 'it cannot be read'
  }
}

/** The one algorithm that a key is for. A shared secret is for none: who can verify by it could sign by it as well. */
function algorithmOf(jwk: Record<string, unknown>): SigningAlgorithm | undefined {
  const { kty, crv, alg } = jwk
  const found =
    kty === 'RSA'
      ? 'RS256'
      : kty === 'EC' && crv === 'P-256'
        ? 'ES256'
        : kty === 'OKP' && crv === 'Ed25519'
          ? 'EdDSA'
          : undefined
  return alg === undefined || alg === found ? found : undefined
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
