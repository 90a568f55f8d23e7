import type { As, ProjectUser } from '#contract/data-api/impersonation'

/** Whom rows are read or SQL is run as, and what to call them. Plain JSON, so that it can stand in an address. */
export type Impersonation = As & { label: string }

/** Who acts while nobody else was chosen: SQL is the owner's, requests come with the secret key. */
export type OwnRole = 'postgres' | 'service_role'

/** The part of a call that says as whom; nothing for the database's owner. */
export const asInput = (value: Impersonation | undefined): { as?: As } =>
  value ? { as: { role: value.role, claims: value.claims } } : {}

export type Aal = 'aal1' | 'aal2'
type Token = { issuer: string; now: Date; sessionId: string; aal: Aal }

const seconds = (at: Date) => Math.floor(at.getTime() / 1000)
const lifetime = 3600

/** What the public key of a project (anon) or its service key says. */
export const keyClaims = (role: 'anon' | 'service_role', { issuer, now }: Token) => ({
  iss: issuer,
  role,
  iat: seconds(now),
  exp: seconds(now) + lifetime,
})

/** What the token of a user who has just signed in with a password says (facts §10). */
export const userClaims = (user: ProjectUser, token: Token) => ({
  ...outsideClaims(user.id, {}, token),
  email: user.email ?? '',
  phone: user.phone ?? '',
  app_metadata: user.app_metadata,
  user_metadata: user.user_metadata,
  is_anonymous: user.is_anonymous,
})

/** The token of a user whom another system knows: whatever it says of them stands beside or instead of ours. */
export const outsideClaims = (
  sub: string,
  extra: Record<string, unknown>,
  { issuer, now, sessionId, aal }: Token,
): Record<string, unknown> => ({
  aal,
  amr: methodsOf(aal).map((method) => ({ method, timestamp: seconds(now) })),
  app_metadata: {},
  aud: 'authenticated',
  email: '',
  exp: seconds(now) + lifetime,
  iat: seconds(now),
  iss: issuer,
  phone: '',
  role: 'authenticated',
  session_id: sessionId,
  user_metadata: {},
  is_anonymous: false,
  ...extra,
  sub,
})

const methodsOf = (aal: Aal) => (aal === 'aal2' ? ['password', 'totp'] : ['password'])

export const nameOf = ({ email, phone, is_anonymous, id }: ProjectUser) =>
  email || phone || (is_anonymous ? `Anonymous ${id.slice(0, 8)}` : id)

/** The claims that somebody typed; undefined when they are no JSON object. */
export function claimsFrom(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    // An object's keys are texts; what stands behind them is not looked at.
    return isObject ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** An impersonation out of an address, where anybody may have written anything. */
export function impersonationFrom(value: unknown): Impersonation | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const { role, claims, label } = { role: undefined, claims: undefined, label: undefined, ...value }
  if (typeof role !== 'string' || role === '' || typeof claims !== 'object' || claims === null)
    return undefined
  // The check above leaves objects; what is in them is the server's to judge.
  const given = claims as Record<string, unknown>
  return { role, claims: given, label: typeof label === 'string' ? label : role }
}
