import { authSettings, type AuthKey } from '#contract/auth/auth-config-keys'
import { beforeClosing } from './cautions.ts'
import { emailFields, phoneFields, samlFields } from './provider-fields.ts'
import type { SettingField, SettingsGroup } from './setting-field.ts'

/** One way to sign in, as the list and its panel show it. */
export type Provider = SettingsGroup & {
  id: string
  /** The switch of it. */
  key: AuthKey
  /** What the panel shows to copy besides. */
  addresses: 'callback' | 'saml' | 'none'
}

/** What the panel of an external provider says in other words than the rest. */
type Words = {
  clientId?: string
  secret?: string
  secretHelp?: string
  url?: string
  urlHelp?: string
}
type External = [id: string, name: string, words?: Words]

/** In the order of the requirements' facts; those whose settings do not exist here are left out. */
const external: readonly External[] = [
  [
    'apple',
    'Apple',
    {
      clientId: 'Services ID',
      secret: 'Secret key for OAuth',
      secretHelp:
        'A token signed with the key of your Apple developer account. It is valid for six months at most.',
    },
  ],
  [
    'azure',
    'Azure',
    {
      clientId: 'Application (client) ID',
      secret: 'Secret value',
      url: 'Azure tenant URL',
      urlHelp: 'For one tenant: https://login.microsoftonline.com/… Leave empty for all accounts.',
    },
  ],
  ['bitbucket', 'Bitbucket', { clientId: 'Key' }],
  ['discord', 'Discord'],
  ['facebook', 'Facebook', { clientId: 'App ID', secret: 'App secret' }],
  ['figma', 'Figma'],
  ['github', 'GitHub'],
  [
    'gitlab',
    'GitLab',
    {
      clientId: 'Application ID',
      url: 'Self-hosted GitLab URL',
      urlHelp: 'Empty for gitlab.com.',
    },
  ],
  ['google', 'Google'],
  ['kakao', 'Kakao', { clientId: 'REST API key', secret: 'Client secret code' }],
  [
    'keycloak',
    'KeyCloak',
    { url: 'Realm URL', urlHelp: 'Such as https://login.example.com/realms/mine' },
  ],
  ['linkedin_oidc', 'LinkedIn (OIDC)', { clientId: 'API key', secret: 'API secret key' }],
  ['notion', 'Notion', { clientId: 'OAuth client ID', secret: 'OAuth client secret' }],
  ['twitch', 'Twitch'],
  ['twitter', 'Twitter', { clientId: 'API key', secret: 'API secret key' }],
  ['x', 'X (OAuth 2.0)'],
  ['slack_oidc', 'Slack (OIDC)'],
  ['slack', 'Slack (Deprecated)'],
  ['spotify', 'Spotify'],
  ['workos', 'WorkOS', { url: 'WorkOS URL', urlHelp: 'Empty for https://api.workos.com.' }],
  ['zoom', 'Zoom'],
  ['snapchat', 'Snapchat'],
  ['fly', 'Fly'],
  ['web3_solana', 'Web3 wallet (Solana)'],
  ['web3_ethereum', 'Web3 wallet (Ethereum)'],
]

const isKey = (text: string): text is AuthKey => Object.hasOwn(authSettings, text)

/** The fields that an external provider may have, by the end of their key. */
const fieldsBySuffix = (
  name: string,
  words: Words,
): Record<string, (key: AuthKey) => SettingField> => ({
  ENABLED: (key) => ({ key, kind: 'check', label: `Enable sign-in with ${name}` }),
  CLIENT_ID: (key) => ({ key, kind: 'text', label: words.clientId ?? 'Client ID' }),
  ADDITIONAL_CLIENT_IDS: (key) => ({
    key,
    kind: 'lines',
    label: 'Additional client IDs',
    help: 'One per line, for mobile and browser apps that sign in at the provider themselves and send the token.',
  }),
  SECRET: (key) => ({
    key,
    kind: 'secret',
    label: words.secret ?? 'Client secret',
    ...(words.secretHelp && { help: words.secretHelp }),
  }),
  URL: (key) => ({
    key,
    kind: 'text',
    label: words.url ?? 'URL',
    placeholder: 'https://',
    ...(words.urlHelp && { help: words.urlHelp }),
  }),
  SKIP_NONCE_CHECK: (key) => ({
    key,
    kind: 'check',
    label: 'Skip nonce checks',
    help: 'Accepts tokens whose nonce your app cannot choose, as on iOS. A stolen token is then easier to use.',
  }),
  EMAIL_OPTIONAL: (key) => ({
    key,
    kind: 'check',
    label: 'Allow users without an email',
    help: 'Lets users sign in even if the provider returns no email.',
  }),
})

/** The fields of an external provider: one for each of its settings that exist. */
const fieldsOf = (prefix: string, name: string, words: Words): SettingField[] =>
  Object.entries(fieldsBySuffix(name, words)).flatMap(([suffix, make]) => {
    const key = `${prefix}_${suffix}`
    return isKey(key) ? [make(key)] : []
  })

const externalProviders = external.flatMap(([id, name, words = {}]): Provider[] => {
  const prefix = `EXTERNAL_${id.toUpperCase()}`
  const key = `${prefix}_ENABLED`
  if (!isKey(key)) return []
  const fields = fieldsOf(prefix, name, words)
  const addresses = fields.some((field) => field.key.endsWith('_SECRET')) ? 'callback' : 'none'
  return [{ id, title: name, key, addresses, fields, caution: beforeClosing(key, name) }]
})

/** Every way to sign in, in the order of the requirements' facts. */
export const providers: readonly Provider[] = [
  {
    id: 'email',
    title: 'Email',
    key: 'EXTERNAL_EMAIL_ENABLED',
    addresses: 'none',
    fields: emailFields,
    caution: beforeClosing('EXTERNAL_EMAIL_ENABLED', 'email'),
  },
  {
    id: 'phone',
    title: 'Phone',
    key: 'EXTERNAL_PHONE_ENABLED',
    addresses: 'none',
    fields: phoneFields,
    caution: beforeClosing('EXTERNAL_PHONE_ENABLED', 'a phone number'),
  },
  {
    id: 'saml',
    title: 'SAML 2.0',
    key: 'SAML_ENABLED',
    addresses: 'saml',
    fields: samlFields,
    caution: beforeClosing('SAML_ENABLED', 'SAML 2.0'),
  },
  ...externalProviders,
]
