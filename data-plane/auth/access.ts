import type { AuthDeps } from './deps.ts'
import { AuthError } from './errors.ts'
import { verifiedRole, verifyAccessToken, type AccessClaims } from './jwt.ts'
import { isSessionLive, sessionById, type SessionRow } from './sessions-store.ts'
import type { AuthTenant } from './tenant.ts'
import { isBanned } from './user-json.ts'
import type { UserRow } from './user-row.ts'
import { userById } from './users-store.ts'

/** A signed-in user, as of this request. */
export type SignedIn = { user: UserRow; session: SessionRow; claims: AccessClaims }

export type Credentials = { authorization: string | undefined; apikey: string | undefined }

const adminRoles = new Set(['service_role', 'supabase_admin'])
/** How long "this session lives" may be believed; revocation must take effect within 5 seconds. */
const believedMs = 3_000
const mostRemembered = 20_000

/** Who a request comes from: user, admin, or nobody. */
export function createAccess({ now }: AuthDeps) {
  const remembered = new Map<string, { live: boolean; until: number }>()

  /** The user of a bearer token whose session still lives. 401 without one, 403 for a bad one. */
  async function signedIn(tenant: AuthTenant, credentials: Credentials): Promise<SignedIn> {
    const token = bearer(credentials.authorization)
    if (token === undefined) throw new AuthError('no_authorization')
    const at = now()
    const claims = await verifyAccessToken(tenant.jwt, token, at)
    const session = await sessionById(tenant.pool, claims.session_id)
    const over = session?.not_after && session.not_after <= at
    if (!session || over || session.user_id !== claims.sub) throw new AuthError('session_not_found')
    const user = await userById(tenant.pool, claims.sub)
    if (!user || user.deleted_at) {
      const message = 'User from sub claim in JWT does not exist'
      throw new AuthError('user_not_found', message, { status: 403 })
    }
    if (isBanned(user, at)) throw new AuthError('user_banned', undefined, { status: 403 })
    return { user, session, claims }
  }

  /** Lets only the service key pass: 401 without a token, 403 for any other. */
  async function admin(tenant: AuthTenant, { authorization, apikey }: Credentials): Promise<void> {
    const token = bearer(authorization) ?? apikey
    if (token === undefined) throw new AuthError('no_authorization')
    const role = await verifiedRole(tenant.jwt, token, now())
    if (!adminRoles.has(role)) throw new AuthError('not_admin')
  }

  /** Whether a session may still be used; asked on every request elsewhere, so an answer is kept for 3 seconds. */
  async function sessionIsLive(tenant: AuthTenant, sessionId: string): Promise<boolean> {
    const at = now()
    const key = `${tenant.id}:${sessionId}`
    const known = remembered.get(key)
    if (known && known.until > at.getTime()) return known.live
    const live = await isSessionLive(tenant.pool, sessionId, at)
    if (remembered.size >= mostRemembered) remembered.clear()
    remembered.set(key, { live, until: at.getTime() + believedMs })
    return live
  }

  /** Makes an end known at once in this process. */
  function forget(tenant: AuthTenant, sessionIds: readonly string[]): void {
    for (const id of sessionIds) remembered.delete(`${tenant.id}:${id}`)
  }

  return { signedIn, admin, sessionIsLive, forget }
}
export type Access = ReturnType<typeof createAccess>

function bearer(header: string | undefined): string | undefined {
  return /^bearer\s+(\S+)\s*$/i.exec(header ?? '')?.[1]
}
