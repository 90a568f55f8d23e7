import type { Configuration } from 'openid-client'
import { z } from 'zod'
import type { ExternalProfile, ProviderTokens } from './external-providers.ts'
import { textsOf } from './external-providers.ts'
import { discover, redeem, type Binding, type Fetch, type OidcClient } from './oidc-client.ts'

/** GitHub is an OAuth provider without OpenID: its addresses are known and its API says who signed in. */
export type GithubClient = OidcClient & { url: string }

const User = z.looseObject({ id: z.number().int(), login: z.string() })
const Emails = z.array(
  z.looseObject({ email: z.string(), primary: z.boolean(), verified: z.boolean() }),
)

export function githubConfig(client: GithubClient, fetch: Fetch): Promise<Configuration> {
  const { url, issuer } = client
  return discover(client, {
    fetch,
    allowHttp: true,
    server: {
      issuer,
      authorization_endpoint: `${url}/login/oauth/authorize`,
      token_endpoint: `${url}/login/oauth/access_token`,
    },
  })
}

/** The API of github.com has a host of its own; other servers have it below their address. */
function apiOf(url: string): string {
  return new URL(url).hostname === 'github.com' ? 'https://api.github.com' : `${url}/api/v3`
}

export async function githubProfile(
  client: GithubClient,
  config: Configuration,
  binding: Binding,
  answer: URL,
  fetch: Fetch,
): Promise<{ profile: ExternalProfile; tokens: ProviderTokens }> {
  const tokens = await redeem(config, binding, answer, { openId: false })
  const read = async (path: string): Promise<unknown> => {
    const response = await fetch(apiOf(client.url) + path, {
      headers: {
        authorization: `Bearer ${tokens.access_token}`,
        accept: 'application/vnd.github+json',
        'user-agent': 'plinth',
      },
      redirect: 'error',
      signal: AbortSignal.timeout(10_000),
    })
    if (!response.ok) throw new Error(`${path} answered ${response.status}`)
    return response.json()
  }
  const user = User.parse(await read('/user'))
  const emails = Emails.parse(await read('/user/emails'))
  const verified = emails.filter((email) => email.verified)
  const best = verified.find((email) => email.primary) ?? verified[0] ?? emails[0]
  const { login, name, avatar_url } = user
  return {
    profile: {
      provider: 'github',
      // Logins change hands; the number does not.
      subject: String(user.id),
      email: best && { address: best.email, verified: best.verified },
      metadata: {
        iss: apiOf(client.url),
        ...textsOf({
          name: name ?? login,
          full_name: name ?? login,
          avatar_url,
          user_name: login,
          preferred_username: login,
        }),
      },
      sso: false,
    },
    tokens: { accessToken: tokens.access_token, refreshToken: tokens.refresh_token },
  }
}
