import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { SignedIn } from '../access.ts'
import { storedHash } from '../sign-in/codes.ts'
import type { AuthDeps } from '../deps.ts'
import { AuthError } from '../errors.ts'
import { signIdToken, verifyAccessToken } from '../sessions/jwt.ts'
import { metadataOf } from '../users/metadata.ts'
import * as store from './oauth-authorizations-store.ts'
import { knowsSecret } from './oauth-clients.ts'
import type { OAuthClientRow } from './oauth-clients-store.ts'
import { OAuthError } from './oauth-error.ts'
import { clientOf, serverOf } from './oauth-server.ts'
import type { SessionJson, Sessions } from '../sessions/sessions.ts'
import { deleteSessions } from '../sessions/sessions-store.ts'
import { inTransaction, type Db } from '../store.ts'
import type { Caller } from '../tenant.ts'
import { isBanned } from '../users/user-json.ts'
import type { UserRow } from '../users/user-row.ts'
import { userById } from '../users/users-store.ts'

const codeLifeMs = 5 * 60 * 1000

export type TokenForm = Record<string, string | undefined>

/** Apps trade what they were given for tokens. */
export function createOauthToken({ now, limits }: AuthDeps, sessions: Sessions) {
  async function exchange(caller: Caller, form: TokenForm, authorization: string | undefined) {
    await limits.perAddress(caller, 'token')
    serverOf(caller.tenant)
    const client = await authenticated(caller, form, authorization)
    const type = form['grant_type'] ?? ''
    if (type !== 'authorization_code' && type !== 'refresh_token') {
      throw new OAuthError(
        'unsupported_grant_type',
        'grant_type must be authorization_code or refresh_token',
      )
    }
    if (!client.grant_types.includes(type)) {
      throw new OAuthError('unauthorized_client', 'The client may not use this grant')
    }
    return type === 'refresh_token' ? refresh(caller, client, form) : redeem(caller, client, form)
  }

  /** The client, known by exactly the method that it registered. 401 `invalid_client`. */
  async function authenticated(
    { tenant }: Caller,
    form: TokenForm,
    authorization: string | undefined,
  ): Promise<OAuthClientRow> {
    const basic = basicOf(authorization)
    const client = await clientOf(tenant.pool, basic?.id ?? form['client_id'])
    const refuse = () =>
      new OAuthError('invalid_client', 'The client credentials are not valid', 401)
    if (!client || (basic && form['client_id'] && form['client_id'] !== basic.id)) throw refuse()
    const shown = basic
      ? 'client_secret_basic'
      : form['client_secret']
        ? 'client_secret_post'
        : 'none'
    if (shown !== client.token_endpoint_auth_method) throw refuse()
    const secret = basic?.secret ?? form['client_secret'] ?? ''
    if (shown !== 'none' && !knowsSecret(client, secret)) throw refuse()
    return client
  }

  async function redeem(caller: Caller, client: OAuthClientRow, form: TokenForm) {
    const code = form['code'] ?? ''
    // A refusal is a result and not an exception: ending what a stolen code led to must be committed.
    const result = await inTransaction(caller.tenant.pool, (tx) =>
      trade(tx, caller, client, form, code),
    )
    if (result instanceof OAuthError) throw result
    return result
  }

  async function trade(
    tx: Db,
    caller: Caller,
    client: OAuthClientRow,
    form: TokenForm,
    code: string,
  ) {
    const at = now()
    const row = await store.lockAuthorizationOfCode(tx, storedHash(code))
    if (!row || row.client_id !== client.id || !row.user_id) return refused('The code is not known')
    if (row.exchanged_at) {
      // It is stolen, or the thief came first: nobody keeps what it led to.
      if (row.session_id) await deleteSessions(tx, row.user_id, { only: row.session_id })
      return refused('The code was used before')
    }
    if (at.getTime() - (row.approved_at?.getTime() ?? 0) > codeLifeMs)
      return refused('The code has expired')
    if (form['redirect_uri'] !== row.redirect_uri)
      return refused('redirect_uri is not the one of the code')
    const verifier = form['code_verifier'] ?? ''
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier) || challenge !== row.code_challenge) {
      return refused('code_verifier does not belong to the code')
    }
    const user = await userById(tx, row.user_id)
    if (!user || user.deleted_at || isBanned(user, at))
      return refused('The user is not there any more')
    const app = { clientId: client.id, scopes: row.scope }
    const method = 'oauth_provider/authorization_code'
    const session = await sessions.begin(tx, caller, user, method, 'oauth_server', app)
    const { session_id } = await verifyAccessToken(caller.tenant.jwt, session.access_token, at)
    await store.exchangeAuthorization(tx, row.id, session_id, at)
    return answer(caller, client, session, user, row)
  }

  async function refresh(caller: Caller, client: OAuthClientRow, form: TokenForm) {
    const given = form['refresh_token'] ?? ''
    const session = await sessions.refresh(caller, given, client.id).catch((error: unknown) => {
      if (!(error instanceof AuthError) || error.status !== 400) throw error
      throw refused(error.message)
    })
    const scope = scopeIn(session.access_token)
    return tokensOf(session, client, scope)
  }

  async function answer(
    { tenant }: Caller,
    client: OAuthClientRow,
    session: SessionJson,
    user: UserRow,
    { scope, nonce }: store.AuthorizationRow,
  ) {
    const about = scope.split(' ').includes('openid')
      ? { ...claimsAbout(user, scope), sub: user.id, aud: client.id, ...(nonce && { nonce }) }
      : undefined
    const idToken = about && (await signIdToken(tenant.jwt, about, now()))
    return { ...tokensOf(session, client, scope), ...(idToken && { id_token: idToken }) }
  }

  /** Who the token of an app is about, as far as its scopes go; a user's own token says all. */
  function userinfo({ user, session }: SignedIn) {
    const scope = session.oauth_client_id ? (session.scopes ?? '') : 'email profile phone'
    return { sub: user.id, ...claimsAbout(user, scope) }
  }

  return { exchange, userinfo }
}
export type OauthToken = ReturnType<typeof createOauthToken>

const refused = (why: string) => new OAuthError('invalid_grant', why)

/** RFC 6749 §2.3.1: both parts are encoded as form values. */
function basicOf(authorization: string | undefined): { id: string; secret: string } | undefined {
  const encoded = /^basic\s+(\S+)\s*$/i.exec(authorization ?? '')?.[1]
  if (encoded === undefined) return undefined
  const [id = '', ...rest] = Buffer.from(encoded, 'base64').toString().split(':')
  const plain = (text: string) =>
    new URLSearchParams(`v=${text.replaceAll('&', '%26')}`).get('v') ?? ''
  return { id: plain(id), secret: plain(rest.join(':')) }
}

function tokensOf(session: SessionJson, client: OAuthClientRow, scope: string) {
  const { access_token, token_type, expires_in, refresh_token } = session
  const renews = client.grant_types.includes('refresh_token')
  return { access_token, token_type, expires_in, ...(renews && { refresh_token }), scope }
}

/** Of a token that we just signed. */
function scopeIn(token: string): string {
  const payload: unknown = JSON.parse(
    Buffer.from(token.split('.')[1] ?? '', 'base64url').toString(),
  )
  // A hook may have left it out.
  return z.object({ scope: z.string().catch('') }).parse(payload).scope
}

function claimsAbout(user: UserRow, scope: string) {
  const scopes = scope.split(' ')
  const {
    full_name: fullName,
    name,
    avatar_url: picture,
    preferred_username,
  } = metadataOf(user.raw_user_meta_data)
  return {
    ...(scopes.includes('email') && {
      email: user.email ?? '',
      email_verified: user.email_confirmed_at !== null,
    }),
    ...(scopes.includes('phone') && {
      phone_number: user.phone ?? '',
      phone_number_verified: user.phone_confirmed_at !== null,
    }),
    ...(scopes.includes('profile') && { name: name ?? fullName, picture, preferred_username }),
  }
}
