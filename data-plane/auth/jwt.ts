import { createHash, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { errors, jwtVerify, SignJWT, type JWTHeaderParameters, type JWTPayload } from 'jose'
import { z } from 'zod'
import { AuthError } from './errors.ts'
import type { JwtSettings } from './tenant.ts'

/**
 * The keys of a tenant by our own key ids: a token only ever names one of them, it never brings one along.
 * Today there is one HS256 key; asymmetric and previous keys become further rows.
 */
type SigningKey = { kid: string; alg: 'HS256'; key: KeyObject }
type KeyTable = {
  current: SigningKey
  byKid: ReadonlyMap<string, SigningKey>
  /** The only key for tokens without a key id: API keys minted elsewhere. */
  unnamed: SigningKey
}

const Access = z.object({
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

const tables = new WeakMap<JwtSettings, KeyTable>()

function keysOf(jwt: JwtSettings): KeyTable {
  const known = tables.get(jwt)
  if (known) return known
  const kid = createHash('sha256').update(`kid\0${jwt.secret}`).digest('base64url').slice(0, 16)
  const current: SigningKey = { kid, alg: 'HS256', key: createSecretKey(jwt.secret, 'utf8') }
  const table = { current, byKid: new Map([[kid, current]]), unnamed: current }
  tables.set(jwt, table)
  return table
}

function keyFor(jwt: JwtSettings, header: JWTHeaderParameters): KeyObject {
  const table = keysOf(jwt)
  const found = header.kid === undefined ? table.unnamed : table.byKid.get(header.kid)
  if (!found || found.alg !== header.alg) throw new errors.JOSEAlgNotAllowed('Unknown key')
  return found.key
}

/** Signs an access token; issuer, audience, issue and expiry time are added. */
export async function signAccessToken(
  jwt: JwtSettings,
  claims: JWTPayload & { sub: string; session_id: string; role: string },
  now: Date,
): Promise<{ token: string; expiresAt: number }> {
  const { kid, alg, key } = keysOf(jwt).current
  const issuedAt = Math.floor(now.getTime() / 1000)
  const expiresAt = issuedAt + jwt.expirySeconds
  const payload = { iss: jwt.issuer, aud: jwt.audience, ...claims, iat: issuedAt, exp: expiresAt }
  const token = await new SignJWT(payload).setProtectedHeader({ alg, kid, typ: 'JWT' }).sign(key)
  return { token, expiresAt }
}

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
  const options = { ...expected, algorithms: ['HS256'], currentDate: now, requiredClaims: ['exp'] }
  try {
    const { payload } = await jwtVerify(
      token,
      (header: JWTHeaderParameters) => keyFor(jwt, header),
      options,
    )
    return payload
  } catch (error) {
    if (error instanceof errors.JWTExpired) {
      throw new AuthError('bad_jwt', 'Invalid JWT: token is expired')
    }
    if (error instanceof errors.JOSEError) throw new AuthError('bad_jwt')
    throw error
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
