import type { AuthKey, AuthSettings } from '#contract/auth/auth-config-keys'
import type { OAuthSpec } from '../auth/external/external-oauth-spec.ts'
import { socialSpecs, workSpecs } from '../auth/external/external-oauth-specs.ts'
import type { ExternalProvider, OidcWays } from '../auth/external/external-providers.ts'
import type { SmsProvider } from '../auth/sms/sms-providers.ts'

/** Where a tenant of Entra is; the address can be written with or without its version. */
const entraOf = (url: string) =>
  `${(url || 'https://login.microsoftonline.com/common').replace(/\/+$/, '').replace(/\/v2\.0$/, '')}/v2.0`

/** WorkOS behind an address of the project's own. */
function workosAt(url: string): OAuthSpec {
  const spec: OAuthSpec = workSpecs.workos
  if (url === '') return spec
  const at = (address: string) => new URL(new URL(address).pathname, url).href
  return { ...spec, authorize: at(spec.authorize), token: at(spec.token), user: at(spec.user) }
}

/** The client for signing in on the web is the first; tokens of the others are taken too. Commas stand between them. */
function clientsOf(own: string, additional: string): { clientId: string; clientIds: string[] } {
  const split = (list: string) =>
    list
      .split(',')
      .map((id) => id.trim())
      .filter((id) => id !== '')
  const [clientId = '', ...more] = split(own)
  return { clientId, clientIds: [...more, ...split(additional)] }
}

/** The providers as their keys call them. */
type ProviderKey = AuthKey extends infer K
  ? K extends `EXTERNAL_${infer Name}_CLIENT_ID`
    ? Name
    : never
  : never

/**
 * The providers that are switched on: those that publish what they are by OpenID Connect discovery, those that speak
 * OAuth in ways that `auth/external-oauth-specs.ts` describes, and GitHub.
 */
export function externalProvidersOf(s: AuthSettings): ExternalProvider[] {
  const account = (key: ProviderKey) => ({
    guarded: true,
    name: key.toLowerCase(),
    clientId: s[`EXTERNAL_${key}_CLIENT_ID` as const],
    clientSecret: s[`EXTERNAL_${key}_SECRET` as const],
  })
  const oidc = (key: ProviderKey, label: string, issuer: string, ways: OidcWays = {}) =>
    ({
      ...account(key),
      kind: 'oidc',
      label,
      issuer,
      scopes: ['openid', 'email', 'profile'],
      ways,
    }) as const
  const oauth = (key: ProviderKey, label: string, spec: OAuthSpec) =>
    ({ ...account(key), kind: 'oauth', label, spec }) as const
  const { EXTERNAL_GITLAB_URL: gitlab, EXTERNAL_KEYCLOAK_URL: keycloak } = s
  const appleWays: OidcWays = { noPkce: true, formPost: true }
  const linkedinWays: OidcWays = { noNonce: true, noPkce: true }
  const providers: Record<ProviderKey, ExternalProvider> = {
    APPLE: {
      ...oidc('APPLE', 'Apple', 'https://appleid.apple.com', appleWays),
      ...clientsOf(s.EXTERNAL_APPLE_CLIENT_ID, s.EXTERNAL_APPLE_ADDITIONAL_CLIENT_IDS),
      scopes: ['openid', 'email', 'name'],
    },
    AZURE: oidc('AZURE', 'Azure', entraOf(s.EXTERNAL_AZURE_URL), { verified: 'entra' }),
    BITBUCKET: oauth('BITBUCKET', 'Bitbucket', workSpecs.bitbucket),
    DISCORD: oauth('DISCORD', 'Discord', socialSpecs.discord),
    FACEBOOK: oauth('FACEBOOK', 'Facebook', socialSpecs.facebook),
    FIGMA: oauth('FIGMA', 'Figma', workSpecs.figma),
    GITHUB: { ...account('GITHUB'), kind: 'github', label: 'GitHub', url: 'https://github.com' },
    GITLAB: oidc('GITLAB', 'GitLab', gitlab || 'https://gitlab.com'),
    GOOGLE: {
      ...oidc('GOOGLE', 'Google', 'https://accounts.google.com'),
      ...clientsOf(s.EXTERNAL_GOOGLE_CLIENT_ID, s.EXTERNAL_GOOGLE_ADDITIONAL_CLIENT_IDS),
      skipNonce: s.EXTERNAL_GOOGLE_SKIP_NONCE_CHECK,
    },
    KAKAO: oauth('KAKAO', 'Kakao', socialSpecs.kakao),
    KEYCLOAK: oidc('KEYCLOAK', 'Keycloak', keycloak),
    LINKEDIN_OIDC: oidc(
      'LINKEDIN_OIDC',
      'LinkedIn',
      'https://www.linkedin.com/oauth',
      linkedinWays,
    ),
    NOTION: oauth('NOTION', 'Notion', workSpecs.notion),
    SLACK: oauth('SLACK', 'Slack', workSpecs.slack),
    SLACK_OIDC: oidc('SLACK_OIDC', 'Slack', 'https://slack.com'),
    SPOTIFY: oauth('SPOTIFY', 'Spotify', socialSpecs.spotify),
    TWITCH: oauth('TWITCH', 'Twitch', socialSpecs.twitch),
    TWITTER: oauth('TWITTER', 'Twitter', socialSpecs.twitter),
    WORKOS: oauth('WORKOS', 'WorkOS', workosAt(s.EXTERNAL_WORKOS_URL)),
    ZOOM: oauth('ZOOM', 'Zoom', workSpecs.zoom),
  }
  // The names of the table are its keys, which Object.keys forgets.
  const keys = Object.keys(providers) as ProviderKey[]
  return keys.flatMap((key) => (s[`EXTERNAL_${key}_ENABLED` as const] ? [providers[key]] : []))
}

/** The service for text messages; undefined when none is chosen, or its account is not complete. */
export function smsProviderOf(s: AuthSettings): SmsProvider | undefined {
  const provider = chosenSmsProvider(s)
  return Object.values(provider ?? {}).includes('') ? undefined : provider
}

function chosenSmsProvider(s: AuthSettings): SmsProvider | undefined {
  switch (s.SMS_PROVIDER) {
    case 'twilio':
      return {
        kind: 'twilio',
        accountSid: s.SMS_TWILIO_ACCOUNT_SID,
        authToken: s.SMS_TWILIO_AUTH_TOKEN,
        messageServiceSid: s.SMS_TWILIO_MESSAGE_SERVICE_SID,
        contentSid: s.SMS_TWILIO_CONTENT_SID || undefined,
      }
    case 'twilio_verify':
      return {
        kind: 'twilio_verify',
        accountSid: s.SMS_TWILIO_VERIFY_ACCOUNT_SID,
        authToken: s.SMS_TWILIO_VERIFY_AUTH_TOKEN,
        messageServiceSid: s.SMS_TWILIO_VERIFY_MESSAGE_SERVICE_SID,
      }
    case 'messagebird':
      return {
        kind: 'messagebird',
        accessKey: s.SMS_MESSAGEBIRD_ACCESS_KEY,
        originator: s.SMS_MESSAGEBIRD_ORIGINATOR,
      }
    case 'textlocal':
      return {
        kind: 'textlocal',
        apiKey: s.SMS_TEXTLOCAL_API_KEY,
        sender: s.SMS_TEXTLOCAL_SENDER,
      }
    case 'vonage':
      return {
        kind: 'vonage',
        apiKey: s.SMS_VONAGE_API_KEY,
        apiSecret: s.SMS_VONAGE_API_SECRET,
        from: s.SMS_VONAGE_FROM,
      }
    default:
      return undefined
  }
}
