import { isUuid } from './ids.ts'
import { OAuthError } from './oauth-error.ts'
import { answerUrl } from './redirect.ts'
import type { ClientRow, OAuthTokenStore } from './token-store.ts'

/** Milliseconds that a person has to answer. */
const requestLife = 10 * 60_000

export type AuthorizeQuery = Record<string, string | undefined>

type Deps = {
  store: OAuthTokenStore
  issuer: string
  /** Address of the consent page for a request; `asks`: the person is asked even though they have agreed before. */
  consentPage: (requestId: string, asks: boolean) => string
  now: () => Date
}

/**
 * GET /v1/oauth/authorize: writes the request down and says where the browser goes. Until client and redirect URI are
 * known to be one of ours, nothing is sent anywhere: a wrong one is an OAuthError that the browser shows.
 */
export function createAuthorize({ store, issuer, consentPage, now }: Deps) {
  return async (query: AuthorizeQuery): Promise<string> => {
    const { client_id: clientId, redirect_uri: redirectUri, state } = query
    const app = clientId && isUuid(clientId) ? await store.client(clientId) : undefined
    if (!app) throw new OAuthError('invalid_client', 'This app is not registered here')
    if (!redirectUri || !app.redirect_uris.includes(redirectUri)) {
      throw new OAuthError('invalid_request', 'The redirect URI is not registered for this app')
    }
    try {
      const asked = readRequest(app, query)
      const id = await store.insertRequest({
        app_id: app.id,
        redirect_uri: redirectUri,
        state: state ?? null,
        ...asked,
        user_id: null,
        answered_at: null,
        expires_at: new Date(now().getTime() + requestLife),
      })
      return consentPage(id, (query['prompt'] ?? '').split(' ').includes('consent'))
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error
      return answerUrl(redirectUri, {
        error: error.code,
        error_description: error.message,
        state,
        iss: issuer,
      })
    }
  }
}

function readRequest(app: ClientRow, query: AuthorizeQuery) {
  if (query['response_type'] !== 'code') {
    throw new OAuthError('unsupported_response_type', 'response_type must be code')
  }
  if ((query['state'] ?? '').length > 1000) {
    throw new OAuthError('invalid_request', 'state must have at most 1000 characters')
  }
  const challenge = query['code_challenge']
  if (challenge === undefined) {
    if (app.client_secret_hash === null) {
      throw new OAuthError('invalid_request', 'An app without a secret needs a code_challenge')
    }
  } else if (!/^[\w-]{43}$/.test(challenge)) {
    throw new OAuthError('invalid_request', 'code_challenge must be a SHA-256 in base64url')
  }
  // Without a method the protocol means "plain", which gives the secret to whoever sees the request.
  if (challenge !== undefined && query['code_challenge_method'] !== 'S256') {
    throw new OAuthError('invalid_request', 'code_challenge_method must be S256')
  }
  return { scopes: readScopes(app.scopes, query['scope']), code_challenge: challenge ?? null }
}

/** The scopes that are asked for, all of `allowed` when none are named. */
export function readScopes(allowed: readonly string[], asked: string | undefined): string[] {
  if (!asked?.trim()) return [...allowed]
  const scopes = [...new Set(asked.trim().split(/\s+/))]
  const unknown = scopes.find((scope) => !allowed.includes(scope))
  if (unknown !== undefined)
    throw new OAuthError('invalid_scope', 'A scope is not allowed for this app')
  return scopes
}
