import { AuthError } from '../errors.ts'
import type { ProviderTokens } from './external-providers.ts'
import { withFragment, withQuery } from '../sign-in/redirects.ts'
import type { SessionJson } from '../sessions/sessions.ts'

/** Where the browser goes with the session of an implicit flow. */
export function sessionLanding(
  target: string,
  session: SessionJson,
  { accessToken, refreshToken }: ProviderTokens,
): string {
  const { access_token, expires_at, expires_in, refresh_token, token_type } = session
  return withFragment(target, {
    access_token,
    expires_at: String(expires_at),
    expires_in: String(expires_in),
    refresh_token,
    token_type,
    ...(accessToken && { provider_token: accessToken }),
    ...(refreshToken && { provider_refresh_token: refreshToken }),
  })
}

/** Where it goes when it did not work. A PKCE client looks into the query, every other into the fragment. */
export function refusalLanding(target: string, refusal: AuthError, pkce: boolean): string {
  const own = refusal.code === 'unexpected_failure' ? 'server_error' : 'access_denied'
  const values = {
    error: refusal.code === 'bad_oauth_state' ? 'invalid_request' : own,
    error_code: refusal.code,
    error_description: refusal.message,
  }
  return withFragment(pkce ? withQuery(target, values) : target, values)
}
