import type { Documented } from './external-oauth.ts'

/** One provider as it documents itself, and what a sign-in there has to come to. */
export type Row = Documented & {
  /** Settings beside client and switch. */
  settings?: Record<string, string>
  /** Parameters of the authorization. */
  asks: Record<string, string>
  person: {
    sub: string
    email: string
    full_name?: string
    user_name?: string
    avatar_url?: string
  }
  /** The same answers for an address that nobody verified. */
  unverified?: Pick<Documented, 'reads' | 'openid'>
}

const ada = 'ada@example.com'
const google = { sub: 'g1', email: ada, email_verified: true, name: 'Ada', picture: 'https://p/1' }
const person = { sub: 'g1', email: ada, full_name: 'Ada', avatar_url: 'https://p/1' }
const tenantId = '11111111-2222-3333-4444-555555555555'

function openid(issuer: string, claims: object = google, more: object = {}) {
  const discovery = `${issuer}/.well-known/openid-configuration`
  return { openid: { issuer, discovery, claims, ...more } }
}
const oidcRow = (
  issuer: string,
  authorize: string,
  token: string,
  more: Partial<Row> = {},
): Row => ({
  authorize,
  token,
  client: 'post',
  pkce: true,
  ...openid(issuer),
  asks: { scope: 'openid email profile', response_type: 'code' },
  person,
  unverified: openid(issuer, { ...google, email_verified: false }),
  ...more,
})

const entra = { sub: 'az1', tid: tenantId, email: ada, name: 'Ada', preferred_username: ada }
const entraAt = (claims: object) => ({
  openid: {
    issuer: `https://login.microsoftonline.com/${tenantId}/v2.0`,
    discovery: 'https://login.microsoftonline.com/common/v2.0/.well-known/openid-configuration',
    claims,
  },
})

export const oidcRows: Record<string, Row> = {
  apple: oidcRow(
    'https://appleid.apple.com',
    'https://appleid.apple.com/auth/authorize',
    'https://appleid.apple.com/auth/token',
    {
      pkce: false,
      asks: { scope: 'openid email name', response_mode: 'form_post' },
      // It writes the boolean as text, and names the person only in what the browser posts.
      ...openid(
        'https://appleid.apple.com',
        { sub: '001.a', email: ada, email_verified: 'true' },
        { posts: '{"name":{"firstName":"Ada","lastName":"L"},"email":"eve@example.com"}' },
      ),
      person: { sub: '001.a', email: ada, full_name: 'Ada L' },
      unverified: openid(
        'https://appleid.apple.com',
        { sub: '001.b', email: ada, email_verified: 'false' },
        { posts: 'no json' },
      ),
    },
  ),
  azure: oidcRow(
    'https://login.microsoftonline.com/common/v2.0',
    'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
    'https://login.microsoftonline.com/common/oauth2/v2.0/token',
    {
      ...entraAt({ ...entra, xms_edov: true }),
      person: { sub: 'az1', email: ada, full_name: 'Ada', user_name: ada },
      // Nobody but the owner of a tenant says whose address this is.
      unverified: entraAt(entra),
    },
  ),
  gitlab: oidcRow(
    'https://gitlab.com',
    'https://gitlab.com/oauth/authorize',
    'https://gitlab.com/oauth/token',
  ),
  google: oidcRow(
    'https://accounts.google.com',
    'https://accounts.google.com/o/oauth2/v2/auth',
    'https://oauth2.googleapis.com/token',
  ),
  keycloak: oidcRow(
    'https://login.example.com/realms/shop',
    'https://login.example.com/realms/shop/protocol/openid-connect/auth',
    'https://login.example.com/realms/shop/protocol/openid-connect/token',
    { settings: { EXTERNAL_KEYCLOAK_URL: 'https://login.example.com/realms/shop' } },
  ),
  linkedin_oidc: oidcRow(
    'https://www.linkedin.com/oauth',
    'https://www.linkedin.com/oauth/v2/authorization',
    'https://www.linkedin.com/oauth/v2/accessToken',
    {
      pkce: false,
      ...openid('https://www.linkedin.com/oauth', google, { noNonce: true }),
      unverified: openid(
        'https://www.linkedin.com/oauth',
        { ...google, email_verified: false },
        { noNonce: true },
      ),
    },
  ),
  slack_oidc: oidcRow(
    'https://slack.com',
    'https://slack.com/openid/connect/authorize',
    'https://slack.com/api/openid.connect.token',
  ),
}
