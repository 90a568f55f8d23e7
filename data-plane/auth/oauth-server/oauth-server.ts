import { randomBytes } from 'node:crypto'
import { isUuid } from '#kit/ids'
import { needSecondFactor, type SignedIn } from '../access.ts'
import { newAuthCode, storedHash } from '../sign-in/codes.ts'
import type { AuthDeps } from '../deps.ts'
import { AuthError } from '../errors.ts'
import * as store from './oauth-authorizations-store.ts'
import { clientById, type OAuthClientRow } from './oauth-clients-store.ts'
import { OAuthError } from './oauth-error.ts'
import { checkedScope, covers } from './oauth-scopes.ts'
import { withQuery } from '../sign-in/redirects.ts'
import { inTransaction, type Db } from '../store.ts'
import type { AuthTenant, Caller } from '../tenant.ts'

const authorizationLifeMs = 10 * 60 * 1000

export type AuthorizeQuery = Record<string, string | undefined>

/** Apps ask for people's sign-in, and people answer them (OAuth 2.1 with PKCE). */
export function createOauthServer({ now, limits }: AuthDeps) {
  /**
   * The site's page that asks the person, or the app's address with what is wrong. Throws OAuthError while it is not
   * sure whose address that is: nobody is led to an address that no client registered.
   */
  async function authorize(caller: Caller, query: AuthorizeQuery): Promise<string> {
    const { tenant } = caller
    await limits.perAddress(caller, 'token')
    const { path } = serverOf(tenant)
    const client = await clientOf(tenant.pool, query['client_id'])
    if (!client) throw new OAuthError('invalid_request', 'There is no such client')
    const redirectUri = query['redirect_uri'] ?? ''
    if (!client.redirect_uris.includes(redirectUri)) {
      throw new OAuthError('invalid_request', 'redirect_uri is not registered for the client')
    }
    const state = query['state'] ?? null
    try {
      const asked = checked(tenant, client, query)
      const id = randomBytes(24).toString('base64url')
      const at = now()
      const row = {
        ...asked,
        authorization_id: id,
        client_id: client.id,
        redirect_uri: redirectUri,
        state,
      }
      const expiresAt = new Date(at.getTime() + authorizationLifeMs)
      await store.saveAuthorization(tenant.pool, { ...row, expires_at: expiresAt }, at)
      return withQuery(new URL(path, tenant.config.siteUrl).href, { authorization_id: id })
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error
      const { error: code, message } = error
      return answerTo(
        { redirect_uri: redirectUri, state },
        { error: code, error_description: message },
      )
    }
  }

  /** What an app asks of the person who is signed in, or where to go when they said yes to it before. */
  async function details(caller: Caller, who: SignedIn, id: string) {
    const { tenant } = caller
    serverOf(tenant)
    return inTransaction(tenant.pool, async (tx) => {
      const { row, client } = await pending(tx, who, id)
      const [consent] = await store.consentsOf(tx, who.user.id, client.id)
      const half = who.session.guarded && who.aal !== 'aal2'
      if (consent && covers(consent.scopes, row.scope) && isItself(client, row) && !half) {
        return { redirect_url: await approve(tx, row) }
      }
      return {
        authorization_id: row.authorization_id,
        redirect_uri: row.redirect_uri,
        client: partyOf(client.id, client),
        user: { id: who.user.id, email: who.user.email ?? '' },
        scope: row.scope,
      }
    })
  }

  /** The person's answer; where to go with it. */
  async function consent(caller: Caller, who: SignedIn, id: string, action: 'approve' | 'deny') {
    const { tenant } = caller
    serverOf(tenant)
    needSecondFactor(who, 'Verify your second factor before you authorize an app')
    return inTransaction(tenant.pool, async (tx) => {
      const { row, client } = await pending(tx, who, id)
      if (action === 'deny') {
        await store.denyAuthorization(tx, row.id)
        const why = { error: 'access_denied', error_description: 'The user did not agree' }
        return { redirect_url: answerTo(row, why) }
      }
      const [before] = await store.consentsOf(tx, who.user.id, client.id)
      const all = new Set(`${before?.scopes ?? ''} ${row.scope}`.split(' ').filter(Boolean))
      const scopes = [...all].join(' ')
      await store.saveConsent(tx, { userId: who.user.id, clientId: client.id, scopes }, now())
      return { redirect_url: await approve(tx, row) }
    })
  }

  /** An authorization that waits for its answer. It belongs to the first who looks at it. */
  async function pending(tx: Db, who: SignedIn, id: string) {
    const row = await store.lockAuthorization(tx, id)
    const client = row && (await clientById(tx, row.client_id))
    const foreign = row?.user_id && row.user_id !== who.user.id
    if (!row || !client || foreign || row.status !== 'pending') {
      throw new AuthError('oauth_authorization_not_found')
    }
    if (row.expires_at <= now()) throw new AuthError('oauth_authorization_expired')
    if (row.user_id === null) await store.claimAuthorization(tx, row.id, who.user.id)
    return { row, client }
  }

  async function approve(tx: Db, row: store.AuthorizationRow): Promise<string> {
    const code = newAuthCode()
    await store.approveAuthorization(tx, row.id, storedHash(code), now())
    return answerTo(row, { code })
  }

  async function grants(tenant: AuthTenant, who: SignedIn) {
    const rows = await store.consentsOf(tenant.pool, who.user.id)
    return rows.map((row) => ({
      client: partyOf(row.client_id, row),
      scopes: row.scopes.split(' '),
      granted_at: row.granted_at.toISOString(),
    }))
  }

  async function revoke(caller: Caller, who: SignedIn, clientId: string): Promise<void> {
    const done = await inTransaction(caller.tenant.pool, (tx) =>
      store.revokeConsent(tx, who.user.id, clientId, now()),
    )
    if (!done) throw new AuthError('oauth_consent_not_found')
  }

  return { authorize, details, consent, grants, revoke }
}
export type OauthServer = ReturnType<typeof createOauthServer>

/** 404 `feature_disabled` where it is off. */
export function serverOf({ config }: AuthTenant): { path: string } {
  if (!config.oauthServer) throw new AuthError('feature_disabled')
  return { path: config.oauthServer.authorizationPath || '/oauth/consent' }
}

export async function clientOf(
  db: Db,
  id: string | undefined,
): Promise<OAuthClientRow | undefined> {
  return id !== undefined && isUuid(id) ? clientById(db, id) : undefined
}

function checked({ jwt }: AuthTenant, client: OAuthClientRow, query: AuthorizeQuery) {
  if (query['response_type'] !== 'code') {
    throw new OAuthError('unsupported_response_type', 'response_type must be code')
  }
  if (!client.grant_types.includes('authorization_code')) {
    throw new OAuthError('unauthorized_client', 'The client may not ask for codes')
  }
  const challenge = query['code_challenge'] ?? ''
  if (query['code_challenge_method'] !== 'S256' || !/^[\w-]{43}$/.test(challenge)) {
    throw new OAuthError('invalid_request', 'A code_challenge by the method S256 is required')
  }
  const long = ['state', 'nonce'].find((name) => (query[name] ?? '').length > 1000)
  if (long) throw new OAuthError('invalid_request', `${long} is too long`)
  const scope = checkedScope(jwt, query['scope'])
  return { scope, nonce: query['nonce'] ?? null, code_challenge: challenge }
}

/** Whether nobody but the client itself gets what is sent there, so that an earlier yes can count again. */
function isItself(client: OAuthClientRow, row: store.AuthorizationRow): boolean {
  return client.client_type === 'confidential' || row.redirect_uri.startsWith('https://')
}

function answerTo(
  { redirect_uri, state }: Pick<store.AuthorizationRow, 'redirect_uri' | 'state'>,
  values: Record<string, string>,
): string {
  return withQuery(redirect_uri, { ...values, ...(state !== null && { state }) })
}

function partyOf(
  id: string,
  client: Pick<OAuthClientRow, 'client_name' | 'client_uri' | 'logo_uri'>,
) {
  const { client_name, client_uri, logo_uri } = client
  return { id, name: client_name ?? '', uri: client_uri ?? '', logo_uri: logo_uri ?? '' }
}
