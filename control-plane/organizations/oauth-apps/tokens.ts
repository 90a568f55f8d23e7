import { sameSecret } from '#kit/ids'
import type { VerifiedToken } from '../../access/access.ts'
import type { Tx } from '../../platform-database/database.ts'
import { readScopes } from './authorize.ts'
import { isUuid } from './ids.ts'
import { OAuthError } from './oauth-error.ts'
import { challengeOf, hashOf, newAccessToken, newRefreshToken } from './secrets.ts'
import type { ClientRow, OAuthTokenStore } from './token-store.ts'

export const accessTokenSeconds = 3600
/** A refresh token that nobody uses for so long is dead; each use makes a new one. */
const refreshTokenSeconds = 60 * 24 * 3600

export type Form = Record<string, string | undefined>
/** What a client proves itself with: HTTP Basic, or the same two values in the body. */
export type ClientProof = { id: string | undefined; secret: string | undefined }
export type TokenAnswer = {
  access_token: string
  refresh_token: string
  token_type: 'Bearer'
  expires_in: number
  scope: string
}

type Deps = { store: OAuthTokenStore; now: () => Date }
type Family = { grant_id: string; family: string; scopes: string[] }

/** POST /v1/oauth/token and /revoke, and what a token is worth. */
export function createTokens({ store, now }: Deps) {
  async function clientOf({ id, secret }: ClientProof): Promise<ClientRow> {
    const app = id && isUuid(id) ? await store.client(id) : undefined
    const proven =
      app &&
      (app.client_secret_hash === null
        ? secret === undefined
        : secret !== undefined && sameSecret(hashOf(secret), app.client_secret_hash))
    if (!app || !proven)
      throw new OAuthError('invalid_client', 'The app could not be authenticated')
    return app
  }

  async function issue(tx: Tx, { grant_id, family, scopes }: Family): Promise<TokenAnswer> {
    const [access, refresh] = [newAccessToken(), newRefreshToken()]
    const within = (seconds: number) => new Date(now().getTime() + seconds * 1000)
    const shared = { grant_id, family, scopes, used_at: null }
    await store.insertTokens(tx, [
      {
        ...shared,
        hash: hashOf(access),
        kind: 'access',
        expires_at: within(accessTokenSeconds),
      },
      {
        ...shared,
        hash: hashOf(refresh),
        kind: 'refresh',
        expires_at: within(refreshTokenSeconds),
      },
    ])
    return {
      access_token: access,
      refresh_token: refresh,
      token_type: 'Bearer',
      expires_in: accessTokenSeconds,
      scope: scopes.join(' '),
    }
  }

  /** Undefined instead of an exception where the refusal itself has to be written down. */
  const exchangeCode = (app: ClientRow, form: Form) =>
    store.transaction(async (tx) => {
      const code = await store.lockCode(tx, hashOf(form['code'] ?? ''))
      if (!code || code.app_id !== app.id) return undefined
      if (code.used_at) {
        await store.endFamily(tx, code.family)
        return undefined
      }
      // Whoever brings the right code with a wrong proof has stolen it: there is no second try.
      await store.useCode(tx, code.hash, now())
      const fits =
        code.expires_at > now() &&
        code.redirect_uri === form['redirect_uri'] &&
        verifierFits(code.code_challenge, form['code_verifier'])
      return fits ? issue(tx, code) : undefined
    })

  const refresh = (app: ClientRow, form: Form) =>
    store.transaction(async (tx) => {
      const token = await store.lockToken(tx, hashOf(form['refresh_token'] ?? ''))
      if (!token || token.kind !== 'refresh' || token.app_id !== app.id) return undefined
      if (token.used_at) {
        await store.endFamily(tx, token.family)
        return undefined
      }
      if (token.expires_at <= now()) return undefined
      const scopes = readScopes(token.scopes, form['scope'])
      await store.useToken(tx, token.id, now())
      return issue(tx, { ...token, scopes })
    })

  return {
    async exchange(proof: ClientProof, form: Form): Promise<TokenAnswer> {
      const app = await clientOf(proof)
      const grant = form['grant_type']
      if (grant !== 'authorization_code' && grant !== 'refresh_token') {
        throw new OAuthError('unsupported_grant_type', 'Use authorization_code or refresh_token')
      }
      const answer = await (grant === 'refresh_token'
        ? refresh(app, form)
        : exchangeCode(app, form))
      if (!answer) {
        throw new OAuthError(
          'invalid_grant',
          'The code or token is invalid, expired or already used',
        )
      }
      return answer
    },

    /** Ends an access token, or a refresh token with everything that came from the same consent. Unknown ones are fine. */
    async revoke(proof: ClientProof, form: Form): Promise<void> {
      const app = await clientOf(proof)
      const given = form['token'] ?? form['refresh_token']
      if (!given) throw new OAuthError('invalid_request', 'token is missing')
      await store.transaction(async (tx) => {
        const token = await store.lockToken(tx, hashOf(given))
        if (!token || token.app_id !== app.id) return
        if (token.kind === 'access') await store.endToken(tx, token.id)
        else await store.endFamily(tx, token.family)
      })
    },

    /** Who a bearer stands for, and how far: its organization, and the scopes that token, consent and app agree on. */
    async verify(token: string): Promise<VerifiedToken | undefined> {
      const found = await store.findAccess(hashOf(token), now())
      if (!found) return undefined
      return {
        kind: 'token',
        userId: found.user_id,
        email: found.email,
        sessionId: found.id,
        aal: 'aal1',
        limits: {
          organizationSlug: found.slug,
          scopes: found.token_scopes.filter(
            (scope) => found.grant_scopes.includes(scope) && found.app_scopes.includes(scope),
          ),
        },
      }
    },

    prune: () => store.prune(now()),
  }
}
export type OAuthTokens = ReturnType<typeof createTokens>

/** A verifier without a challenge is refused too: somebody has cut the challenge out of the request (RFC 9700 §4.8.2). */
function verifierFits(challenge: string | null, verifier: string | undefined): boolean {
  if (challenge === null) return verifier === undefined
  if (verifier === undefined || !/^[\w.~-]{43,128}$/.test(verifier)) return false
  return sameSecret(challengeOf(verifier), challenge)
}
