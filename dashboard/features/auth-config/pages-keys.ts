import type { SettingsGroup } from './setting-field.ts'

/** /project/{ref}/auth/passkeys */
export const passkeys: readonly SettingsGroup[] = [
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
        help: 'What devices show when they ask. Empty for the host of the site URL.',
      },
      {
        key: 'WEBAUTHN_RP_ID',
        kind: 'text',
        label: 'Domain',
        placeholder: 'example.com',
        help: 'Keys are made for this domain and those below it; with another one, the keys that users have no longer count. Empty for the host of the site URL.',
      },
      {
        key: 'WEBAUTHN_RP_ORIGINS',
        kind: 'lines',
        label: 'Origins',
        help: 'Pages that may ask for a key, one a line, as https://app.example.com. Empty for the site URL.',
      },
    ],
  },
]

/** /project/{ref}/auth/oauth-server */
export const oauthServer: readonly SettingsGroup[] = [
  {
    title: 'OAuth server',
    fields: [
      {
        key: 'OAUTH_SERVER_ENABLED',
        kind: 'check',
        label: 'Let other apps sign in your users',
        help: 'The project becomes an OAuth 2.1 server: apps ask a user for consent and get tokens of their own, by codes with PKCE.',
      },
      {
        key: 'OAUTH_SERVER_AUTHORIZATION_PATH',
        kind: 'text',
        label: 'Path of the consent page',
        help: 'Below the site URL. Users are led there with authorization_id; the page shows what is asked and sends their answer.',
        needed: true,
      },
      {
        key: 'OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION',
        kind: 'check',
        label: 'Let apps register themselves',
        help: 'Anybody may add an app then, as agents do. While it is off, apps are added below, or with the secret key by auth.admin.oauth.',
      },
    ],
  },
]
