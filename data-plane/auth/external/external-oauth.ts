import { createHash, createHmac } from 'node:crypto'
import { firstFilled, isYes, textAt, valueAt, type OAuthSpec } from './external-oauth-spec.ts'
import { textsOf, type ExternalProfile, type ProviderTokens } from './external-providers.ts'
import type { Binding, Fetch } from './oidc-client.ts'

type Client = { provider: string; clientId: string; clientSecret: string }
type Request = { redirectUri: string; scopes: string; more?: Record<string, string> }

/** Where the browser goes to sign in. What belongs to the protocol wins over what a client asked for besides. */
export function oauthUrl(
  spec: OAuthSpec,
  client: Client,
  binding: Binding,
  request: Request,
): string {
  const url = new URL(spec.authorize)
  const asked = request.scopes.split(/[\s,]+/).filter(Boolean)
  const scopes = [...new Set([...spec.scopes, ...asked])].join(spec.scopeSeparator ?? ' ')
  const parameters = {
    ...request.more,
    ...spec.parameters,
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: request.redirectUri,
    state: binding.state,
    ...(scopes && { [spec.scopeParameter ?? 'scope']: scopes }),
    ...(spec.pkce && {
      code_challenge: createHash('sha256').update(binding.verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

/** Who signed in. `answer` is the address that the provider led back to, with what it said. */
export async function oauthProfile(
  spec: OAuthSpec,
  client: Client,
  binding: Binding,
  answer: URL,
  fetch: Fetch,
): Promise<{ profile: ExternalProfile; tokens: ProviderTokens }> {
  const tokens = await redeem(spec, client, binding, answer, fetch)
  const read = reader(spec, client, tokens.accessToken, fetch)
  const user = await read(spec.user)
  const { profile: map } = spec
  const subject = textAt(user, map.subject)
  if (subject === undefined || subject.length > 255) throw new Error('The provider names no id')
  const name = firstFilled(user, map.name)
  const userName = map.userName && textAt(user, map.userName)
  const picture = map.picture && firstFilled(user, map.picture)
  return {
    profile: {
      provider: client.provider,
      subject,
      email: spec.emails
        ? bestEmail(spec.emails, await read(spec.emails.address))
        : emailIn(spec, user),
      metadata: {
        iss: new URL(spec.user).origin,
        ...textsOf({
          name,
          full_name: name,
          avatar_url: picture,
          picture,
          user_name: userName,
          preferred_username: userName,
        }),
      },
      sso: false,
    },
    tokens,
  }
}

/** Trades the code of the answer for tokens. */
async function redeem(
  spec: OAuthSpec,
  client: Client,
  binding: Binding,
  answer: URL,
  fetch: Fetch,
) {
  const code = answer.searchParams.get('code')
  const refusal = answer.searchParams.get('error')
  if (refusal !== null || !code)
    throw new Error(`The provider answered ${refusal ?? 'without code'}`)
  const { clientId, clientSecret } = client
  const fields = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: answer.origin + answer.pathname,
    ...(spec.pkce && { code_verifier: binding.verifier }),
    ...(!spec.basic && { client_id: clientId, client_secret: clientSecret }),
  }
  const known = [clientId, clientSecret].map(encodeURIComponent).join(':')
  const response = await fetch(spec.token, {
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': spec.json ? 'application/json' : 'application/x-www-form-urlencoded',
      ...(spec.basic && { authorization: `Basic ${Buffer.from(known).toString('base64')}` }),
    },
    body: spec.json ? JSON.stringify(fields) : new URLSearchParams(fields).toString(),
    redirect: 'error',
    signal: AbortSignal.timeout(10_000),
  })
  // Some refuse with status 200.
  const body: unknown = await response.json().catch(() => undefined)
  const accessToken = textAt(body, spec.tokenAt ?? 'access_token')
  if (!response.ok || accessToken === undefined) {
    throw new Error(
      `The token request was refused: ${response.status} ${textAt(body, 'error') ?? ''}`,
    )
  }
  return { accessToken, refreshToken: textAt(body, 'refresh_token') }
}

function reader(spec: OAuthSpec, client: Client, token: string, fetch: Fetch) {
  const own = Object.entries(spec.headers ?? {}).map(([name, value]) => [
    name,
    value.replace('{client_id}', client.clientId),
  ])
  return async (address: string): Promise<unknown> => {
    const url = new URL(address)
    if (spec.proof) {
      const proof = createHmac('sha256', client.clientSecret).update(token).digest('hex')
      url.searchParams.set(spec.proof, proof)
    }
    const response = await fetch(url.href, {
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        'user-agent': 'plinth',
        ...Object.fromEntries(own),
      },
      redirect: 'error',
      signal: AbortSignal.timeout(10_000),
    })
    if (!response.ok) throw new Error(`${url.origin}${url.pathname} answered ${response.status}`)
    return response.json()
  }
}

function emailIn({ profile }: OAuthSpec, user: unknown): ExternalProfile['email'] {
  const address = profile.email && textAt(user, profile.email)
  if (!address) return undefined
  const { verified } = profile
  return {
    address,
    verified: typeof verified === 'string' ? isYes(valueAt(user, verified)) : verified === true,
  }
}

/** The primary one among the verified, else any verified one, else the first. */
function bestEmail(
  { list, email, primary, verified }: NonNullable<OAuthSpec['emails']>,
  body: unknown,
): ExternalProfile['email'] {
  const rows = valueAt(body, list)
  const found = (Array.isArray(rows) ? rows : []).flatMap((row: unknown) => {
    const address = textAt(row, email)
    return address
      ? [
          {
            address,
            verified: isYes(valueAt(row, verified)),
            primary: isYes(valueAt(row, primary)),
          },
        ]
      : []
  })
  const sure = found.filter((row) => row.verified)
  const best = sure.find((row) => row.primary) ?? sure[0] ?? found[0]
  return best && { address: best.address, verified: best.verified }
}
