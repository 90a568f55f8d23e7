import { hkdfSync } from 'node:crypto'
import { decodeProtectedHeader, errors, jwtVerify, SignJWT, type JWTPayload } from 'jose'
import { z } from 'zod'
import { keySetOfSecret, type JwtKeySet, type JwtKey } from '#kit/jwt-key-set'
import { AuthError } from '../errors.ts'
import type { JwtSettings } from '../tenant.ts'

/** The claims that we rely on in the token of a user. */
export const Access = z.object({
  sub: z.uuid(),
  session_id: z.uuid(),
  role: z.string(),
  aal: z.string(),
  exp: z.number(),
  iat: z.number(),
  email: z.string().optional(),
  phone: z.string().optional(),
  is_anonymous: z.boolean().optional(),
  amr: z.array(z.looseObject({ method: z.string(), timestamp: z.number() })).optional(),
  app_metadata: z.record(z.string(), z.unknown()).optional(),
  user_metadata: z.record(z.string(), z.unknown()).optional(),
})
/** The verified claims of a signed-in user's token. */
export type AccessClaims = z.infer<typeof Access>

const keySets = new WeakMap<JwtSettings, JwtKeySet>()

/** The keys of a tenant. */
function keySetOf(jwt: JwtSettings): JwtKeySet {
  const keySet = jwt.keySet ?? keySets.get(jwt) ?? keySetOfSecret(jwt.secret)
  keySets.set(jwt, keySet)
  return keySet
}

/** What of the keys everybody may know: those of them that are no shared secrets. */
export const publicKeysOf = (jwt: JwtSettings): Record<string, unknown>[] =>
  keySetOf(jwt).keys.flatMap(({ publicJwk }) => (publicJwk ? [publicJwk] : []))

/**
 * Signs an access token; issuer, audience, issue and expiry time are added. `customize` has the last word on all claims.
 * Times are in seconds.
 */
export async function signAccessToken(
  jwt: JwtSettings,
  claims: JWTPayload & { sub: string; session_id: string; role: string },
  now: Date,
  customize: (claims: JWTPayload) => Promise<JWTPayload> = async (own) => own,
): Promise<{ token: string; expiresAt: number; expiresIn: number }> {
  const { kid, algorithm: alg, signs } = keySetOf(jwt).current
  const iat = Math.floor(now.getTime() / 1000)
  const exp = iat + jwt.expirySeconds
  const payload = await customize({ iss: jwt.issuer, aud: jwt.audience, ...claims, iat, exp })
  const token = await new SignJWT(payload).setProtectedHeader({ alg, kid, typ: 'JWT' }).sign(signs)
  const expiresAt = payload.exp ?? exp
  return { token, expiresAt, expiresIn: expiresAt - iat }
}

/** An ID token for an app; undefined where tokens are signed by a shared secret, which no app can check. */
export async function signIdToken(
  jwt: JwtSettings,
  claims: JWTPayload & { sub: string; aud: string },
  now: Date,
): Promise<string | undefined> {
  const { kid, algorithm: alg, signs, publicJwk } = keySetOf(jwt).current
  if (!publicJwk) return undefined
  const issuedAt = Math.floor(now.getTime() / 1000)
  const times = { iat: issuedAt, exp: issuedAt + jwt.expirySeconds }
  const payload = { ...claims, iss: jwt.issuer, ...times }
  return new SignJWT(payload).setProtectedHeader({ alg, kid, typ: 'JWT' }).sign(signs)
}

/** Whether apps can check what this tenant signs. */
export const signsOpenly = (jwt: JwtSettings): boolean =>
  keySetOf(jwt).current.publicJwk !== undefined

/**
 * Checks the token of a signed-in user: signature, algorithm, issuer, audience, expiry and the claims we rely on.
 * Says nothing about whether its session still lives. Throws `bad_jwt` (403).
 */
export async function verifyAccessToken(
  jwt: JwtSettings,
  token: string,
  now: Date = new Date(),
): Promise<AccessClaims> {
  const payload = await verified(jwt, token, now, { issuer: jwt.issuer, audience: jwt.audience })
  const claims = Access.safeParse(payload)
  if (!claims.success) throw new AuthError('bad_jwt', 'Invalid JWT: it is not the token of a user')
  return claims.data
}

/**
 * The role that a key of this tenant carries (service_role, anon, or a user's role). API keys are not issued by this
 * service and name no audience, so signature and expiry decide. Throws `bad_jwt` (403).
 */
export async function verifiedRole(jwt: JwtSettings, token: string, now: Date): Promise<string> {
  const payload = await verified(jwt, token, now, {})
  return typeof payload['role'] === 'string' ? payload['role'] : ''
}

async function verified(
  jwt: JwtSettings,
  token: string,
  now: Date,
  expected: { issuer?: string; audience?: string },
): Promise<JWTPayload> {
  const options = { ...expected, currentDate: now, requiredClaims: ['exp'] }
  for (const { algorithm, verifies } of candidatesFor(jwt, token)) {
    try {
      const { payload } = await jwtVerify(token, verifies, { ...options, algorithms: [algorithm] })
      return payload
    } catch (error) {
      // Another key of the same algorithm may have signed it.
      if (error instanceof errors.JWSSignatureVerificationFailed) continue
      if (error instanceof errors.JWTExpired) {
        throw new AuthError('bad_jwt', 'Invalid JWT: token is expired')
      }
      if (error instanceof errors.JOSEError) throw new AuthError('bad_jwt')
      throw error
    }
  }
  throw new AuthError('bad_jwt')
}

function candidatesFor(jwt: JwtSettings, token: string): readonly JwtKey[] {
  try {
    return keySetOf(jwt).candidates(decodeProtectedHeader(token))
  } catch {
    // Its header cannot be read: no key fits.
    return []
  }
}

const derived = new WeakMap<JwtSettings, Map<string, Buffer>>()

/** A key of the tenant for one other purpose, so that no secret serves two. */
export function purposeKey(jwt: JwtSettings, purpose: string): Buffer {
  const known = derived.get(jwt) ?? new Map<string, Buffer>()
  derived.set(jwt, known)
  const made =
    known.get(purpose) ??
    Buffer.from(hkdfSync('sha256', jwt.secret, '', `plinth auth ${purpose}`, 32))
  known.set(purpose, made)
  return made
}
