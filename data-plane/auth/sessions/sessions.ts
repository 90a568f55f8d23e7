import { randomUUID } from 'node:crypto'
import { isIP } from 'node:net'
import { audit } from '../admin/audit-store.ts'
import { newRefreshToken, nextRefreshToken, storedHash } from '../sign-in/codes.ts'
import type { AuthDeps } from '../deps.ts'
import { AuthError } from '../errors.ts'
import { touchIdentity } from '../users/identities-store.ts'
import { signAccessToken } from './jwt.ts'
import * as tokens from './refresh-tokens-store.ts'
import { refusalOfSession } from './session-policy.ts'
import * as store from './sessions-store.ts'
import { afterCommit, inTransaction, type Db } from '../store.ts'
import type { Caller } from '../tenant.ts'
import { claimsByHook } from '../hooks/token-hook.ts'
import { defaultRole, isBanned, loadUserJson, type UserJson } from '../users/user-json.ts'
import type { UserRow } from '../users/user-row.ts'
import { updateUser, userById } from '../users/users-store.ts'

export type WeakPassword = { reasons: readonly string[]; message: string }

export type SessionJson = {
  access_token: string
  token_type: 'bearer'
  expires_in: number
  /** Unix seconds. */
  expires_at: number
  refresh_token: string
  /** Of the provider where the user just signed in; only in the answer to that sign-in. */
  provider_token?: string
  provider_refresh_token?: string
  /** Of a password that would not be taken today; only in the answer to a sign-in with it. */
  weak_password?: WeakPassword
  user: UserJson
}

/** What the tokens of a session say of it. */
type AnsweredSession = {
  id: string
  aal: string | null
  oauth_client_id?: string | null
  scopes?: string | null
  method?: string
}

export type LogoutScope = 'global' | 'local' | 'others'

/** Sessions and their tokens: begin, refresh with rotation and reuse detection, end. */
export function createSessions({ now, limits }: AuthDeps) {
  /** Starts a session for a user who proved who they are by `method`; call it in the transaction of that proof. */
  async function begin(
    tx: Db,
    caller: Caller,
    user: UserRow,
    method: string,
    provider = 'email',
    app?: { clientId: string; scopes: string },
  ): Promise<SessionJson> {
    const at = now()
    const signedIn = await updateUser(tx, user.id, { last_sign_in_at: at }, at)
    // The account was deleted between proof and here.
    if (!signedIn) throw new AuthError('invalid_credentials')
    await touchIdentity(tx, user.id, provider, at)
    const id = randomUUID()
    const token = newRefreshToken()
    const from = { ip: inet(caller.ip), userAgent: caller.userAgent }
    await store.insertSession(tx, { id, userId: user.id, method, ...from }, at)
    if (app) await store.bindSession(tx, id, app)
    const row = { hash: storedHash(token), parentHash: null, userId: user.id, sessionId: id }
    await tokens.insertRefreshToken(tx, row, at)
    const ofApp = { oauth_client_id: app?.clientId ?? null, scopes: app?.scopes ?? null }
    return answer(tx, caller, signedIn, { id, aal: 'aal1', method, ...ofApp }, token)
  }

  async function answer(
    db: Db,
    caller: Caller,
    user: UserRow,
    session: AnsweredSession,
    refreshToken: string,
  ): Promise<SessionJson> {
    const { tenant } = caller
    const json = await loadUserJson(db, user)
    const claims = {
      sub: user.id,
      aud: user.aud || tenant.jwt.audience,
      email: json.email,
      phone: json.phone,
      app_metadata: json.app_metadata,
      user_metadata: json.user_metadata,
      role: user.role || defaultRole,
      aal: session.aal ?? 'aal1',
      amr: withSsoProvider(await store.amrOf(db, session.id), json.app_metadata),
      session_id: session.id,
      is_anonymous: user.is_anonymous,
      ...(session.oauth_client_id && {
        client_id: session.oauth_client_id,
        scope: session.scopes ?? '',
      }),
    }
    const { method = 'token_refresh' } = session
    const { token, expiresAt, expiresIn } = await signAccessToken(
      tenant.jwt,
      claims,
      now(),
      (own) => claimsByHook(db, caller, own, method),
    )
    const active = { id: user.id, isSso: user.is_sso_user }
    afterCommit(db, () => tenant.onActive?.(active))
    return {
      access_token: token,
      token_type: 'bearer',
      expires_in: expiresIn,
      expires_at: expiresAt,
      refresh_token: refreshToken,
      user: json,
    }
  }

  /**
   * A second factor was shown: the session gets new tokens, and those from before it lead nowhere any more, so whoever
   * took one of them gains nothing. Sessions that showed no second factor end.
   */
  async function raise(
    tx: Db,
    caller: Caller,
    { user, session }: { user: UserRow; session: Pick<store.SessionRow, 'id'> },
    factor: { id: string; factor_type: string },
  ): Promise<SessionJson> {
    const method = factor.factor_type
    const at = now()
    if (!(await store.lockSession(tx, session.id))) throw new AuthError('session_not_found')
    await store.raiseSession(tx, session.id, factor.id, method, at)
    await store.deleteWeakerSessions(tx, user.id, session.id)
    await tokens.revokeTokensOf(tx, session.id, at)
    const token = newRefreshToken()
    const row = { hash: storedHash(token), parentHash: null, userId: user.id }
    await tokens.insertRefreshToken(tx, { ...row, sessionId: session.id }, at)
    return answer(tx, caller, user, { id: session.id, aal: 'aal2', method }, token)
  }

  /** New tokens. An app's are for the app alone: `clientId` says which one shows the token. */
  async function refresh(caller: Caller, token: string, clientId?: string): Promise<SessionJson> {
    await limits.perAddress(caller, 'token')
    // A refusal is a result and not an exception: ending a stolen family must be committed.
    const result = await inTransaction(caller.tenant.pool, (tx) =>
      rotate(tx, caller, token, clientId ?? null),
    )
    if (result instanceof AuthError) throw result
    return result
  }

  async function rotate(
    tx: Db,
    caller: Caller,
    token: string,
    clientId: string | null,
  ): Promise<SessionJson | AuthError> {
    const at = now()
    const { config } = caller.tenant
    const session = await store.lockSessionOfToken(tx, storedHash(token))
    const presented = session && (await tokens.refreshTokenByHash(tx, storedHash(token)))
    const user = session && (await userById(tx, session.user_id))
    const isTheirs = session?.oauth_client_id === clientId
    if (!session || !presented || !user || user.deleted_at || !isTheirs) {
      return new AuthError('refresh_token_not_found')
    }
    if (isBanned(user, at)) return new AuthError('user_banned')
    if (presented.revoked) {
      const active = await activeAfter(tx, caller, session, token, presented, at)
      return active === undefined
        ? new AuthError('refresh_token_already_used')
        : answer(tx, caller, user, session, active)
    }
    const refusal = await refusalOfSession(tx, config, session, at)
    if (refusal) {
      // Its access token ends with it, and no change of the policy brings it back.
      await store.endSession(tx, session.id, at)
      const traits = { reason: refusal.message, session_id: session.id }
      await audit(tx, { action: 'token_revoked', actor: user, ip: caller.ip, traits }, at)
      return refusal
    }
    const next = config.refreshRotation ? nextRefreshToken(caller.tenant.jwt, token) : token
    if (config.refreshRotation) {
      await tokens.revokeRefreshToken(tx, presented.id, at)
      const row = { hash: storedHash(next), parentHash: presented.token, userId: user.id }
      await tokens.insertRefreshToken(tx, { ...row, sessionId: session.id }, at)
    }
    const from = { ip: inet(caller.ip), userAgent: caller.userAgent }
    await store.touchSession(tx, session.id, from, at)
    await audit(tx, { action: 'token_refreshed', actor: user, ip: caller.ip }, at)
    return answer(tx, caller, user, session, next)
  }

  /**
   * A token that was used before: within the interval it is a parallel request and leads to the active token. Later it
   * is a stolen token, or the owner coming after the thief: the whole session ends. Where tokens do not change, those
   * from before say nothing about a theft.
   */
  async function activeAfter(
    tx: Db,
    { tenant, ip }: Caller,
    session: store.SessionRow,
    token: string,
    presented: tokens.RefreshTokenRow,
    at: Date,
  ): Promise<string | undefined> {
    const age = at.getTime() - presented.updated_at.getTime()
    if (age <= tenant.config.refreshReuseSeconds * 1000) {
      const active = await tokens.activeRefreshToken(tx, session.id)
      return active && descendant(tenant.jwt, token, active.token)
    }
    if (!tenant.config.refreshRotation) return undefined
    if (session.not_after && session.not_after <= at) return undefined
    await store.closeSession(tx, session.id, at)
    const actor = await userById(tx, session.user_id)
    const traits = { reason: 'refresh token reuse', session_id: session.id }
    await audit(tx, { action: 'token_revoked', actor, ip, traits }, at)
    return undefined
  }

  async function logout(
    caller: Caller,
    user: UserRow,
    sessionId: string,
    scope: LogoutScope,
  ): Promise<void> {
    await inTransaction(caller.tenant.pool, async (tx) => {
      await store.deleteSessions(tx, user.id, whichSessions(scope, sessionId))
      await audit(tx, { action: 'logout', actor: user, ip: caller.ip, traits: { scope } }, now())
    })
  }

  /** Ends one session of a user. Throws 404 for what is not theirs. */
  async function end(caller: Caller, user: UserRow, sessionId: string): Promise<void> {
    await inTransaction(caller.tenant.pool, async (tx) => {
      const ended = await store.deleteSessions(tx, user.id, { only: sessionId })
      if (ended.length === 0) throw new AuthError('session_not_found', noSession, { status: 404 })
      const traits = { scope: 'one', session_id: sessionId }
      await audit(tx, { action: 'logout', actor: user, ip: caller.ip, traits }, now())
    })
  }

  return { begin, raise, refresh, logout, end }
}
export type Sessions = ReturnType<typeof createSessions>

const noSession = 'There is no such session'

/** Rotations that can have happened within the reuse interval. */
const longestChain = 50

function descendant(
  jwt: Caller['tenant']['jwt'],
  token: string,
  activeHash: string,
): string | undefined {
  let candidate = token
  for (let step = 0; step < longestChain; step += 1) {
    candidate = nextRefreshToken(jwt, candidate)
    if (storedHash(candidate) === activeHash) return candidate
  }
  return undefined
}

function whichSessions(scope: LogoutScope, id: string): Parameters<typeof store.deleteSessions>[2] {
  switch (scope) {
    case 'global':
      return { all: true }
    case 'local':
      return { only: id }
    case 'others':
      return { except: id }
  }
}

/** Policies ask which organization somebody came from; their account says it. */
function withSsoProvider(amr: store.Amr[], { provider }: UserJson['app_metadata']): store.Amr[] {
  const id = typeof provider === 'string' ? /^sso:(.+)$/.exec(provider)?.[1] : undefined
  return amr.map((one) => (id && one.method.startsWith('sso/') ? { ...one, provider: id } : one))
}

/** An address as the column takes it; a request over a unix socket has none. */
function inet(ip: string): string | null {
  return isIP(ip) === 0 ? null : ip
}
