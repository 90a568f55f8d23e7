import type { JWTPayload } from 'jose'
import { AuthError } from '../errors.ts'
import { Access } from '../sessions/jwt.ts'
import type { Db } from '../store.ts'
import type { Caller } from '../tenant.ts'

/** What a token says of itself and of whose it is. Who could change one of these could be somebody else. */
const fixed = ['iss', 'aud', 'sub', 'iat', 'session_id', 'aal'] as const

/**
 * The claims of an access token as the tenant's hook wants them. It adds, and changes what is about the user; what
 * identifies token, user and session stays, and the token may end sooner but not later.
 */
export async function claimsByHook(
  tx: Db,
  caller: Caller,
  claims: JWTPayload,
  method: string,
): Promise<JWTPayload> {
  const payload = { user_id: claims.sub, claims, authentication_method: method }
  const answer = await caller.hooks(caller, 'CUSTOM_ACCESS_TOKEN', payload, tx)
  if (!answer) return claims
  const newClaims = answer['claims']
  if (typeof newClaims !== 'object' || newClaims === null || Array.isArray(newClaims)) {
    throw refused('output claims field is missing')
  }
  const given = newClaims as JWTPayload // an object of JSON; its values are looked at below
  const moved = fixed.find((name) => JSON.stringify(given[name]) !== JSON.stringify(claims[name]))
  if (moved) throw refused(`${moved} has to stay as it is`)
  const checked = Required.safeParse(given)
  if (!checked.success) {
    const [issue] = checked.error.issues
    throw refused(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`)
  }
  const { exp, iat } = checked.data
  if (exp > (claims.exp ?? 0) || exp <= iat)
    throw refused('exp has to be later than iat and no later than before')
  return given
}

const Required = Access.required({ email: true, phone: true, is_anonymous: true }).refine(
  ({ role }) => role !== '',
  { path: ['role'], message: 'is needed' },
)

const refused = (what: string) =>
  new AuthError(
    'hook_failed',
    `output claims do not conform to the expected schema: ${what}`.slice(0, 300),
  )
