import type { AuthSettings } from '#contract/auth-config-keys'
import type { ExternalProvider } from './auth/external-providers.ts'
import type { SmsProvider } from './auth/sms-providers.ts'

const scopes = ['openid', 'email', 'profile']

/**
 * The providers that are switched on. Apart from GitHub they are those that publish what they are by OpenID Connect
 * discovery, send the nonce back, and say of an address whether it is verified.
 */
export function externalProvidersOf(s: AuthSettings): ExternalProvider[] {
  const oidc = (name: string, label: string, issuer: string) =>
    ({ kind: 'oidc', guarded: true, name, label, issuer, scopes }) as const
  const providers: [boolean, ExternalProvider][] = [
    [
      s.EXTERNAL_GITHUB_ENABLED,
      {
        kind: 'github',
        guarded: true,
        name: 'github',
        label: 'GitHub',
        url: 'https://github.com',
        clientId: s.EXTERNAL_GITHUB_CLIENT_ID,
        clientSecret: s.EXTERNAL_GITHUB_SECRET,
      },
    ],
    [
      s.EXTERNAL_GITLAB_ENABLED,
      {
        ...oidc('gitlab', 'GitLab', s.EXTERNAL_GITLAB_URL || 'https://gitlab.com'),
        clientId: s.EXTERNAL_GITLAB_CLIENT_ID,
        clientSecret: s.EXTERNAL_GITLAB_SECRET,
      },
    ],
    [
      s.EXTERNAL_GOOGLE_ENABLED,
      {
        ...oidc('google', 'Google', 'https://accounts.google.com'),
        clientId: s.EXTERNAL_GOOGLE_CLIENT_ID,
        clientSecret: s.EXTERNAL_GOOGLE_SECRET,
      },
    ],
    [
      s.EXTERNAL_KEYCLOAK_ENABLED,
      {
        ...oidc('keycloak', 'Keycloak', s.EXTERNAL_KEYCLOAK_URL),
        clientId: s.EXTERNAL_KEYCLOAK_CLIENT_ID,
        clientSecret: s.EXTERNAL_KEYCLOAK_SECRET,
      },
    ],
    [
      s.EXTERNAL_SLACK_OIDC_ENABLED,
      {
        ...oidc('slack_oidc', 'Slack', 'https://slack.com'),
        clientId: s.EXTERNAL_SLACK_OIDC_CLIENT_ID,
        clientSecret: s.EXTERNAL_SLACK_OIDC_SECRET,
      },
    ],
  ]
  return providers.flatMap(([enabled, provider]) => (enabled ? [provider] : []))
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
