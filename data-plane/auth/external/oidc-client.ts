import * as openid from 'openid-client'
import { AuthError } from '../errors.ts'
import type { ExternalProfile, OidcWays, ProviderTokens } from './external-providers.ts'
import { oidcClaims, postedName, vouchesFor, type OidcClaims } from './oidc-claims.ts'
import { textsOf } from './external-providers.ts'

/** How a client of an OpenID or OAuth provider is known there. */
export type OidcClient = {
  issuer: string
  clientId: string
  clientSecret: string
}

/** What one sign-in is bound to: worked out from the state, so that nothing of it has to be kept. */
export type Binding = { state: string; nonce: string; verifier: string }

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>

type Options = {
  /** How providers are reached; a guarded one where their addresses come from tenants. */
  fetch: Fetch
  /** Plain http, for addresses that whoever runs the platform has set. */
  allowHttp: boolean
  /** What is known without asking the provider, for one that publishes nothing about itself. */
  server?: openid.ServerMetadata
}

const discoveredForMs = 60 * 60 * 1000
const discoveries = new WeakMap<OidcClient, { config: openid.Configuration; until: number }>()

/** The provider as it describes itself, asked again after an hour. Its issuer must be the one that was configured. */
export async function discover(
  client: OidcClient,
  options: Options,
): Promise<openid.Configuration> {
  const known = discoveries.get(client)
  if (known && known.until > performance.now()) return known.config
  const config = await configurationOf(client, options)
  discoveries.set(client, { config, until: performance.now() + discoveredForMs })
  return config
}

async function configurationOf(
  client: OidcClient,
  { fetch, allowHttp, server }: Options,
): Promise<openid.Configuration> {
  const { issuer, clientId, clientSecret } = client
  const insecure = allowHttp && issuer.startsWith('http:') ? [openid.allowInsecureRequests] : []
  const reach: openid.CustomFetch = (url, init) =>
    // The library's own options are those of fetch with a narrower body.
    fetch(url, init as RequestInit)
  if (server) {
    const config = new openid.Configuration(server, clientId, clientSecret)
    config[openid.customFetch] = reach
    for (const allow of insecure) allow(config)
    return config
  }
  return openid.discovery(
    new URL(issuer),
    clientId,
    clientSecret,
    openid.ClientSecretPost(clientSecret),
    { execute: insecure, timeout: 10, [openid.customFetch]: reach },
  )
}

/** Where the browser goes to sign in. */
export async function authorizeUrl(
  config: openid.Configuration,
  binding: Binding,
  {
    redirectUri,
    scopes,
    more,
    ways = {},
  }: { redirectUri: string; scopes: string; more?: Record<string, string>; ways?: OidcWays },
): Promise<string> {
  const url = openid.buildAuthorizationUrl(config, {
    ...more,
    ...ways.parameters,
    redirect_uri: redirectUri,
    scope: scopes,
    state: binding.state,
    ...(!ways.noNonce && { nonce: binding.nonce }),
    ...(ways.formPost && { response_mode: 'form_post' }),
    ...(!ways.noPkce && {
      code_challenge: await openid.calculatePKCECodeChallenge(binding.verifier),
      code_challenge_method: 'S256',
    }),
  })
  return url.href
}

/** Trades the code of an answer for tokens. `openId` asks for an identity token and checks it. */
export async function redeem(
  config: openid.Configuration,
  binding: Binding,
  answer: URL,
  { openId, ways = {} }: { openId: boolean; ways?: OidcWays },
) {
  return openid.authorizationCodeGrant(config, answer, {
    expectedState: binding.state,
    ...(!ways.noPkce && { pkceCodeVerifier: binding.verifier }),
    ...(openId && { idTokenExpected: true }),
    ...(openId && !ways.noNonce && { expectedNonce: binding.nonce }),
  })
}

/** Who signed in, from the identity token and, for what it does not tell, the provider's user info. */
export async function oidcProfile(
  config: openid.Configuration,
  tokens: Awaited<ReturnType<typeof redeem>>,
  as: { provider: string; sso: boolean; ways?: OidcWays; posted?: string | undefined },
): Promise<{ profile: ExternalProfile; tokens: ProviderTokens }> {
  const token = oidcClaims.parse(tokens.claims())
  const asks = token.email === undefined && config.serverMetadata().userinfo_endpoint
  const more = asks ? await openid.fetchUserInfo(config, tokens.access_token, token.sub) : {}
  const claims = oidcClaims.safeParse({ ...more, ...token })
  if (!claims.success) throw new AuthError('bad_oauth_callback')
  const { data } = claims
  const { issuer } = config.serverMetadata()
  return {
    profile: profileOfClaims(data, { ...as, issuer, name: postedName(as.posted) }),
    tokens: { accessToken: tokens.access_token, refreshToken: tokens.refresh_token },
  }
}

/** What claims that were checked say of a person. */
export function profileOfClaims(
  claims: OidcClaims,
  as: {
    provider: string
    sso: boolean
    issuer: string
    ways?: OidcWays
    name?: string | undefined
  },
): ExternalProfile {
  const { preferred_username, given_name, family_name, picture, email } = claims
  const name = claims['name'] ?? as.name
  const verified = vouchesFor(claims, as)
  return {
    provider: as.provider,
    sso: as.sso,
    subject: claims.sub,
    email: email ? { address: email, verified } : undefined,
    metadata: {
      iss: typeof claims['iss'] === 'string' ? claims['iss'] : as.issuer,
      ...textsOf({
        name,
        full_name: name,
        avatar_url: picture,
        picture,
        preferred_username,
        user_name: preferred_username,
        given_name,
        family_name,
      }),
    },
  }
}
