import type { AuthDeps } from './deps.ts'
import { AuthError } from './errors.ts'
import { verifiedRole, verifyAccessToken, type AccessClaims } from './sessions/jwt.ts'
import { liveSession, sessionById, type SessionRow } from './sessions/sessions-store.ts'
import type { AuthTenant } from './tenant.ts'
import { isBanned } from './users/user-json.ts'
import type { UserRow } from './users/user-row.ts'
import { userById } from './users/users-store.ts'

/** aal2: a second factor was shown. */
export type Assurance = 'aal1' | 'aal2'

/** A signed-in user, as of this request. */
export type SignedIn = {
  user: UserRow
  session: SessionRow
  claims: AccessClaims
  /** What token and session agree on: a token from before the second factor does not rise with its session. */
  aal: Assurance
}

/** Who holds an access token, for whoever believes it outside of this service. */
export type Holder = {
  userId: string
  sessionId: string
  /** The address as of now; the token may carry an older one. */
  email: string
  aal: Assurance
  /** The user has a second factor and has not shown it in this session. */
  secondFactorMissing: boolean
  /** What the account was made with: `email`, `github`, `sso:<id>` ... */
  provider: string
}

export type Credentials = {
  authorization: string | undefined
  apikey: string | undefined
  /** What a key that is no token stands for, as whoever stands in front of this service has found. */
  keyRole?: string | undefined
}

const adminRoles = new Set(['service_role', 'supabase_admin'])

/** Who a request comes from: user, admin, or nobody. */
export function createAccess({ now }: AuthDeps) {
  /**
   * The user of a bearer token whose session still lives. 401 without one, 403 for a bad one, and for an app that acts
   * for the user where only the user may.
   */
  async function signedIn(
    tenant: AuthTenant,
    credentials: Credentials,
    { apps = false } = {},
  ): Promise<SignedIn> {
    const token = bearer(credentials.authorization)
    if (token === undefined) throw new AuthError('no_authorization')
    const at = now()
    const claims = await verifyAccessToken(tenant.jwt, token, at)
    const session = await sessionById(tenant.pool, claims.session_id)
    const over = session?.not_after && session.not_after <= at
    if (!session || over || session.user_id !== claims.sub) throw new AuthError('session_not_found')
    if (session.oauth_client_id && !apps) throw new AuthError('oauth_client_not_allowed')
    const user = await userById(tenant.pool, claims.sub)
    if (!user || user.deleted_at) {
      const message = 'User from sub claim in JWT does not exist'
      throw new AuthError('user_not_found', message, { status: 403 })
    }
    if (isBanned(user, at)) throw new AuthError('user_banned', undefined, { status: 403 })
    return { user, session, claims, aal: assurance(claims, session) }
  }

  async function roleOfToken(tenant: AuthTenant, { authorization, apikey }: Credentials) {
    const token = bearer(authorization) ?? apikey
    if (token === undefined) throw new AuthError('no_authorization')
    return verifiedRole(tenant.jwt, token, now())
  }

  /** Lets only the service key pass: 401 without a token, 403 for any other. */
  async function admin(tenant: AuthTenant, credentials: Credentials): Promise<void> {
    const role = credentials.keyRole ?? (await roleOfToken(tenant, credentials))
    if (!adminRoles.has(role)) throw new AuthError('not_admin')
  }

  /** Who holds a token; undefined when it is not one of ours or its session has ended, which counts from that moment. */
  async function holderOf(tenant: AuthTenant, token: string): Promise<Holder | undefined> {
    const at = now()
    const claims = await verifyAccessToken(tenant.jwt, token, at).catch(refused)
    const session = claims && (await liveSession(tenant.pool, claims.session_id, at))
    if (!session?.email || session.user_id !== claims?.sub) return undefined
    const aal = assurance(claims, session)
    const secondFactorMissing = session.guarded && aal !== 'aal2'
    const { user_id: userId, id: sessionId, email } = session
    const first = claims.app_metadata?.['provider']
    const provider = typeof first === 'string' ? first : 'email'
    return { userId, sessionId, email, aal, secondFactorMissing, provider }
  }

  return { signedIn, admin, holderOf }
}
export type Access = ReturnType<typeof createAccess>

/**
 * Refuses what a thief of the password alone must not do, when the user has a second factor that was not shown in this
 * session. `status` is 403 but where clients know another one.
 */
export function needSecondFactor({ session, aal }: SignedIn, message: string, status = 403): void {
  if (session.guarded && aal !== 'aal2')
    throw new AuthError('insufficient_aal', message, { status })
}

function assurance(claims: AccessClaims, session: SessionRow): Assurance {
  return claims.aal === 'aal2' && session.aal === 'aal2' ? 'aal2' : 'aal1'
}

function refused(error: unknown): undefined {
  if (!(error instanceof AuthError)) throw error
}

function bearer(header: string | undefined): string | undefined {
  return /^bearer\s+(\S+)\s*$/i.exec(header ?? '')?.[1]
}
