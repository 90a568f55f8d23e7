import { createHash, timingSafeEqual } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, errors, jwtVerify, type JWTPayload } from 'jose'
import { isUuid } from '#kit/ids'
import { AuthError, invalid } from '../errors.ts'
import type { OidcProvider, Signer } from './id-token-keys.ts'
import { oidcClaims, type OidcClaims } from './oidc-claims.ts'

/** A shared secret signs nothing here: whoever knows a public key could otherwise use it as one. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
]

export type Presented = {
  idToken: string
  accessToken: string | undefined
  /** As the app made it; the token holds its SHA-256 in hex. */
  nonce: string | undefined
}

/**
 * The claims of a token that a provider issued for one of the tenant's clients.
 * @throws AuthError `bad_jwt` (400), `unexpected_audience`, `validation_failed`; other errors when its keys cannot be read.
 */
export async function checkIdToken(
  provider: OidcProvider,
  signer: Signer,
  { idToken, accessToken, nonce }: Presented,
  now: Date,
): Promise<OidcClaims> {
  const { payload, protectedHeader } = await jwtVerify(idToken, signer.keys, {
    algorithms,
    currentDate: now,
    clockTolerance: 30,
    requiredClaims: ['iss', 'sub', 'aud', 'exp', 'iat'],
  }).catch(refuse)
  if (payload.iss !== issuerFor(signer, payload)) throw bad('it is of another issuer')
  if (!isForUs(provider, payload)) throw new AuthError('unexpected_audience')
  if (!provider.skipNonce) checkNonce(payload['nonce'], nonce)
  if (accessToken !== undefined && typeof payload['at_hash'] === 'string') {
    const half = halfHash(protectedHeader.alg, accessToken)
    if (!same(half, payload['at_hash'])) throw bad('the access token belongs to another')
  }
  const claims = oidcClaims.safeParse(payload)
  if (!claims.success) throw bad('it does not say whose it is')
  return claims.data
}

/** Whether it looks like a token at all: what does not is refused before anybody is asked for keys. @throws AuthError `bad_jwt` */
export function checkShape(idToken: string): void {
  let algorithm: unknown
  let issuer: unknown
  try {
    algorithm = decodeProtectedHeader(idToken).alg
    issuer = decodeJwt(idToken).iss
  } catch {
    throw bad('it is no token')
  }
  if (typeof algorithm !== 'string' || !algorithms.includes(algorithm))
    throw bad('it is not signed in a way that can be verified')
  if (typeof issuer !== 'string') throw bad('it does not say who issued it')
}

const bad = (why: string) => new AuthError('bad_jwt', `Bad ID token: ${why}`, { status: 400 })

/** What is wrong with the token is the client's doing; keys that cannot be had are not. */
function refuse(error: unknown): never {
  const away = error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid
  if (error instanceof errors.JWTExpired) throw bad('it has expired')
  if (error instanceof errors.JOSEError && !away && error.code !== 'ERR_JOSE_GENERIC') {
    throw bad('it cannot be verified')
  }
  throw error
}

function issuerFor({ issuer }: Signer, { tid }: JWTPayload): string {
  return typeof tid === 'string' && isUuid(tid) ? issuer.replace('{tenantid}', tid) : issuer
}

/** One of the clients is the audience, and of several audiences the one that asked for the token. */
function isForUs(provider: OidcProvider, { aud, azp }: JWTPayload): boolean {
  const ours = [provider.clientId, ...(provider.clientIds ?? [])].filter((id) => id !== '')
  const audience = typeof aud === 'string' ? [aud] : (aud ?? [])
  if (!audience.some((one) => ours.includes(one))) return false
  const asking = typeof azp === 'string' ? azp : undefined
  return audience.length === 1 || azp === undefined || ours.includes(asking ?? '')
}

function checkNonce(inToken: unknown, given: string | undefined): void {
  const has = typeof inToken === 'string' && inToken !== ''
  if (has !== (given !== undefined && given !== '')) {
    throw invalid('Passed nonce and nonce in id_token should either both exist or not.')
  }
  if (!has || given === undefined) return
  const hashed = createHash('sha256').update(given).digest('hex')
  if (!same(hashed, inToken)) throw invalid('Nonces mismatch')
}

/** The left half of the token's hash, by the hash of the signature (OpenID Connect Core 3.1.3.6). */
function halfHash(algorithm: string, token: string): string {
  const bits = algorithm === 'EdDSA' ? '512' : algorithm.slice(-3)
  const hash = createHash(`sha${bits}`).update(token).digest()
  return hash.subarray(0, hash.length / 2).toString('base64url')
}

function same(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}
