import { authSettings, type AuthKey, type AuthSettings } from '#contract/auth/auth-config-keys'
import { ident, qualified } from '#contract/ddl/sql-text'
import type { SettingChanges } from '../setting-field.ts'

/** One hook of the auth service: its three settings and its words. */
export type Hook = {
  /** As its settings are named: `HOOK_<name>_ENABLED`. */
  name: string
  title: string
  help: string
  enabled: AuthKey
  uri: AuthKey
  secrets: AuthKey
}

const words: readonly [name: string, title: string, help: string][] = [
  [
    'SEND_SMS',
    'Send SMS',
    'Sends text messages instead of the SMS provider. The hook receives the code and the phone number.',
  ],
  [
    'SEND_EMAIL',
    'Send Email',
    'Sends emails instead of the mail server. The hook receives the user, the type of email and its code.',
  ],
  [
    'CUSTOM_ACCESS_TOKEN',
    'Customize Access Token claims',
    'Receives the claims of every access token before it is signed, and returns the claims to use.',
  ],
  [
    'MFA_VERIFICATION_ATTEMPT',
    'MFA Verification Attempt',
    'Decides after every attempt to verify a second factor whether the user can continue.',
  ],
  [
    'PASSWORD_VERIFICATION_ATTEMPT',
    'Password Verification Attempt',
    'Decides after every attempt to sign in with a password whether the user can continue.',
  ],
  ['BEFORE_USER_CREATED', 'Before User Created', 'Decides whether a new user can be created.'],
]

const isKey = (text: string): text is AuthKey => Object.hasOwn(authSettings, text)

/** The hooks that the auth service has, in the order of the requirements' facts. */
export const hooks: readonly Hook[] = words.flatMap(([name, title, help]) => {
  const [enabled, uri, secrets] = ['ENABLED', 'URI', 'SECRETS'].map((end) => `HOOK_${name}_${end}`)
  if (!enabled || !uri || !secrets) return []
  if (!isKey(enabled) || !isKey(uri) || !isKey(secrets)) return []
  return [{ name, title, help, enabled, uri, secrets }]
})

/** A hook as its panel has it. */
export type HookDraft = {
  enabled: boolean
  kind: 'function' | 'http'
  schema: string
  name: string
  url: string
  /** Empty keeps the one that is stored. */
  secret: string
}

const ofDatabase = /^pg-functions:\/\/[^/]+\/([^/]+)\/([^/]+)$/

export function draftOf(config: AuthSettings, hook: Hook): HookDraft {
  const uri = String(config[hook.uri])
  const [, schema = 'public', name = ''] = ofDatabase.exec(uri) ?? []
  return {
    // Who opens the panel of a hook that does not exist yet wants it.
    enabled: uri === '' || config[hook.enabled] === true,
    kind: uri === '' || name !== '' ? 'function' : 'http',
    schema,
    name,
    url: name === '' ? uri : '',
    secret: '',
  }
}

const uriOf = ({ kind, schema, name, url }: HookDraft) =>
  kind === 'http' ? url.trim() : `pg-functions://postgres/${schema}/${name}`

/** What is missing, by field; `kept`: a secret is stored. */
export function problemsOf(draft: HookDraft, kept: boolean): { [K in keyof HookDraft]?: string } {
  if (draft.kind === 'function') return draft.name === '' ? { name: 'Choose a function' } : {}
  return {
    ...(!/^https?:\/\/\S+$/.test(draft.url.trim()) && {
      url: 'Enter a URL that starts with https://',
    }),
    ...(draft.secret === '' && !kept && { secret: 'Generate a secret, or enter one' }),
  }
}

/** What to send. A function needs no secret, so it gets rid of one. */
export const changesOfHook = (hook: Hook, draft: HookDraft): SettingChanges => ({
  [hook.enabled]: draft.enabled,
  [hook.uri]: uriOf(draft),
  ...(draft.kind === 'function'
    ? { [hook.secrets]: null }
    : draft.secret !== '' && { [hook.secrets]: draft.secret.trim() }),
})

/** What takes a hook away. */
export const withoutHook = (hook: Hook): SettingChanges => ({
  [hook.enabled]: null,
  [hook.uri]: null,
  [hook.secrets]: null,
})

/** What a function needs so that the auth service can call it and nobody else. */
export function grantsFor({ schema, name }: HookDraft, args: string): string {
  const called = `${qualified(schema, name)}(${args})`
  return [
    `grant usage on schema ${ident(schema)} to supabase_auth_admin;`,
    `grant execute on function ${called} to supabase_auth_admin;`,
    `revoke execute on function ${called} from authenticated, anon, public;`,
  ].join('\n')
}

/** A new secret that requests to an address are signed with. */
export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return `v1,whsec_${btoa(String.fromCharCode(...bytes))}`
}
