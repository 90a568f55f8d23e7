import type { ReactNode } from 'react'
import { UnsavedGate } from '../../../session/identity/unsaved.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { protection, secondFactors, sessions } from './pages-access.ts'
import type { SettingsGroup } from './setting-field.ts'
import { addresses, performance, rates } from './pages.ts'
import { SettingsCard } from './SettingsCard.tsx'

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
