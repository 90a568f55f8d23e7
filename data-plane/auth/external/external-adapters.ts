import { createHmac } from 'node:crypto'
import type { Configuration } from 'openid-client'
import { reachOf } from './external-find.ts'
import { githubConfig, githubProfile, type GithubClient } from './external-github.ts'
import { oauthProfile, oauthUrl } from './external-oauth.ts'
import type {
  ExternalProfile,
  ExternalProvider,
  OidcWays,
  ProviderTokens,
} from './external-providers.ts'
import { purposeKey } from '../sessions/jwt.ts'
import {
  authorizeUrl,
  discover,
  oidcProfile,
  redeem,
  type Binding,
  type Fetch,
  type OidcClient,
} from './oidc-client.ts'
import type { AuthTenant } from '../tenant.ts'

/** One provider as the sign-in sees it. */
export type Adapter = {
  authorize(
    binding: Binding,
    request: { redirectUri: string; scopes: string; more?: Record<string, string> },
  ): Promise<string>
  profile(
    binding: Binding,
    answer: URL,
  ): Promise<{ profile: ExternalProfile; tokens: ProviderTokens }>
}

/** State, nonce and PKCE verifier of one sign-in: only the state travels, the others follow from it by a key of ours. */
export function bindingOf({ jwt }: AuthTenant, state: string): Binding {
  const derive = (purpose: string) =>
    createHmac('sha256', purposeKey(jwt, purpose)).update(state).digest('base64url')
  return { state, nonce: derive('provider nonce'), verifier: derive('provider verifier') }
}

/** The client objects live as long as the configuration: what was discovered is remembered by them. */
const clients = new WeakMap<ExternalProvider, OidcClient & { url: string }>()

function clientOf(provider: Exclude<ExternalProvider, { kind: 'oauth' }>): GithubClient {
  const known = clients.get(provider)
  if (known) return known
  const { clientId, clientSecret } = provider
  const url = provider.kind === 'github' ? provider.url : provider.issuer
  const issuer = provider.kind === 'github' ? `${provider.url}/login/oauth` : provider.issuer
  const made = { url, issuer, clientId, clientSecret }
  clients.set(provider, made)
  return made
}

/** A provider that is configured. `guarded` refuses plain http by itself. */
export function adapterOf(provider: ExternalProvider, guarded: Fetch): Adapter {
  const reach = reachOf(provider, guarded)
  if (provider.kind === 'oauth') {
    const { spec, name, clientId, clientSecret } = provider
    const client = { provider: name, clientId, clientSecret }
    return {
      authorize: async (binding, request) => oauthUrl(spec, client, binding, request),
      profile: (binding, answer) => oauthProfile(spec, client, binding, answer, reach),
    }
  }
  const client = clientOf(provider)
  switch (provider.kind) {
    case 'github':
      return {
        authorize: async (binding, { scopes, ...request }) =>
          authorizeUrl(await githubConfig(client, reach), binding, {
            ...request,
            scopes: joined('user:email', scopes),
          }),
        profile: async (binding, answer) =>
          githubProfile(client, await githubConfig(client, reach), binding, answer, reach),
      }
    case 'oidc':
      return oidcAdapter(() => discover(client, { fetch: reach, allowHttp: true }), {
        provider: provider.name,
        scopes: provider.scopes,
        sso: false,
        ways: provider.ways ?? {},
      })
  }
}

export function oidcAdapter(
  configuration: () => Promise<Configuration>,
  as: { provider: string; scopes: readonly string[]; sso: boolean; ways?: OidcWays },
): Adapter {
  const { provider, sso, ways = {} } = as
  return {
    authorize: async (binding, { scopes, ...request }) =>
      authorizeUrl(await configuration(), binding, {
        ...request,
        ways,
        scopes: joined(as.scopes.join(' '), scopes),
      }),
    async profile(binding, answer) {
      const config = await configuration()
      const tokens = await redeem(config, binding, answer, { openId: true, ways })
      const posted = ways.formPost ? answer.searchParams.get('user') : null
      return oidcProfile(config, tokens, { provider, sso, ways, posted: posted ?? undefined })
    },
  }
}

function joined(own: string, asked: string): string {
  return [...new Set(`${own} ${asked}`.split(/[\s,]+/).filter(Boolean))].join(' ')
}
