import type { ReactNode } from 'react'
import { UnsavedGate } from '../../../session/identity/unsaved.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { protection, secondFactors, sessions } from './pages-access.ts'
import type { SettingsGroup } from './setting-field.ts'
import { SettingsCard } from './SettingFields.tsx'

/** /project/{ref}/auth/url-configuration */
const addresses: readonly SettingsGroup[] = [
  {
    title: 'Site URL',
    fields: [
      {
        key: 'SITE_URL',
        kind: 'text',
        label: 'Site URL',
        help: 'Where links in emails lead unless an app asks for another URL. Templates refer to it as {{ .SiteURL }}.',
      },
    ],
  },
  {
    title: 'Redirect URLs',
    fields: [
      {
        key: 'URI_ALLOW_LIST',
        kind: 'lines',
        label: 'Allowed targets',
        help: 'One URL per line. * matches anything up to the next dot or slash, ** matches anything, ? matches one character.',
      },
    ],
  },
]

/** /project/{ref}/auth/performance */
const performance: readonly SettingsGroup[] = [
  {
    title: 'Requests',
    fields: [
      {
        key: 'API_MAX_REQUEST_DURATION',
        kind: 'whole',
        label: 'Request duration',
        help: 'A request that takes longer fails with 504. Leave empty for no separate limit.',
        unit: 'seconds',
      },
    ],
  },
  {
    title: 'Connections',
    fields: [
      {
        key: 'DB_MAX_POOL_SIZE',
        kind: 'whole',
        label: 'Database connections',
        help: 'The most connections that the auth service opens. Leave empty for what the server gives every project.',
        unit: 'at most',
      },
    ],
  },
]

/** /project/{ref}/auth/rate-limits */
const rates: readonly SettingsGroup[] = [
  {
    title: 'Messages of the project',
    fields: [
      {
        key: 'RATE_LIMIT_EMAIL_SENT',
        kind: 'whole',
        label: 'Mails',
        help: 'All emails of the project together.',
        unit: 'per hour',
      },
      {
        key: 'RATE_LIMIT_SMS_SENT',
        kind: 'whole',
        label: 'Text messages',
        help: 'All text messages together; those to test numbers do not count.',
        unit: 'per hour',
      },
    ],
  },
  {
    title: 'Requests of one IP address',
    fields: [
      {
        key: 'RATE_LIMIT_TOKEN_REFRESH',
        kind: 'whole',
        label: 'Sign-ins and refreshed sessions',
        unit: 'per 5 minutes',
      },
      {
        key: 'RATE_LIMIT_VERIFY',
        kind: 'whole',
        label: 'Codes and links that are checked',
        unit: 'per 5 minutes',
      },
      {
        key: 'RATE_LIMIT_OTP',
        kind: 'whole',
        label: 'Codes and links requested',
        unit: 'per 5 minutes',
      },
      {
        key: 'RATE_LIMIT_ANONYMOUS_USERS',
        kind: 'whole',
        label: 'Anonymous sign-ins',
        unit: 'per hour',
      },
      {
        key: 'RATE_LIMIT_WEB3',
        kind: 'whole',
        label: 'Sign-ins with a wallet',
        unit: 'per 5 minutes',
      },
    ],
  },
]

/** /project/{ref}/auth/passkeys */
const passkeys: readonly SettingsGroup[] = [
  {
    title: 'Passkeys',
    fields: [
      {
        key: 'PASSKEY_ENABLED',
        kind: 'check',
        label: 'Sign-in with passkeys',
        help: 'Signed-in users add a passkey on their device and sign in with it from then on, without a password.',
      },
    ],
  },
  {
    title: 'Where keys belong to',
    fields: [
      {
        key: 'WEBAUTHN_RP_DISPLAY_NAME',
        kind: 'text',
        prose: true,
        label: 'Name',
        help: 'Devices show it when they ask for a passkey. Leave empty for the host of the site URL.',
      },
      {
        key: 'WEBAUTHN_RP_ID',
        kind: 'text',
        label: 'Domain',
        placeholder: 'example.com',
        help: 'Passkeys work on this domain and its subdomains. If you change it, existing passkeys stop working. Leave empty for the host of the site URL.',
      },
      {
        key: 'WEBAUTHN_RP_ORIGINS',
        kind: 'lines',
        label: 'Origins',
        help: 'Origins that can ask for a passkey, one per line, such as https://app.example.com. Leave empty for the site URL.',
      },
    ],
  },
]

/** /project/{ref}/auth/oauth-server */
const oauthServer: readonly SettingsGroup[] = [
  {
    title: 'OAuth server',
    fields: [
      {
        key: 'OAUTH_SERVER_ENABLED',
        kind: 'check',
        label: 'Let other apps sign in your users',
        help: 'The project becomes an OAuth 2.1 server: apps ask a user for consent and get their own tokens through codes with PKCE.',
      },
      {
        key: 'OAUTH_SERVER_AUTHORIZATION_PATH',
        kind: 'text',
        label: 'Path of the consent page',
        help: 'Relative to the site URL. Users are sent there with authorization_id; the page shows what the app asks for and sends their answer.',
        needed: true,
      },
      {
        key: 'OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION',
        kind: 'check',
        label: 'Let apps register themselves',
        help: 'Anyone can then register an app, as agents do. While this is off, add apps below, or through auth.admin.oauth with the secret key.',
      },
    ],
  },
]

const pages = {
  addresses: {
    title: 'URL configuration',
    help: 'Where users are sent after they sign in or follow a link.',
    groups: addresses,
  },
  rates: {
    title: 'Rate limits',
    help: 'Limit auth requests to prevent abuse.',
    groups: rates,
  },
  performance: {
    title: 'Performance',
    help: 'Limit what one request and the whole auth service can use.',
    groups: performance,
  },
  factors: {
    title: 'Multi-factor',
    help: 'Factors that users can add to their password or link.',
    groups: secondFactors,
  },
  sessions: {
    title: 'Sessions',
    help: 'How long users stay signed in.',
    groups: sessions,
  },
  protection: {
    title: 'Attack protection',
    help: 'Keep bots and leaked passwords out.',
    groups: protection,
  },
  passkeys: {
    title: 'Passkeys',
    help: 'Let users sign in with a key on their device instead of a password.',
    groups: passkeys,
  },
  oauthServer: {
    title: 'OAuth server',
    help: 'Let third-party apps act for your users.',
    groups: oauthServer,
  },
}

type Props = {
  projectRef: string
  page: keyof typeof pages
  /** What belongs to the page besides its settings. */
  children?: ReactNode
}

/** A page of settings of the auth service. */
export function SettingsPage({ projectRef, page, children }: Props) {
  const { title, help, groups } = pages[page]
  return (
    <UnsavedGate>
      <Page width="form">
        <PageHead title={title} help={help} />
        <div className="sections">
          {groups.map((group) => (
            <SettingsCard key={group.title} projectRef={projectRef} {...group} />
          ))}
          {children}
        </div>
      </Page>
    </UnsavedGate>
  )
}
