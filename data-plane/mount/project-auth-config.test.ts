import { expect, test } from 'vitest'
import { authKeys, passwordRequirements } from '#contract/auth/auth-config-keys'
import { builtInMails } from '#contract/auth/auth-mails'
import { defaultAuthConfig } from '../auth/config.ts'
import { checkPassword } from '../auth/sign-in/passwords.ts'
import { authConfigOf, authSettingsOf, ownMailServerOf } from './project-auth-config.ts'
import { plainTextOf } from './project-auth-mails.ts'

const configOf = (chosen: Record<string, unknown>) => authConfigOf(authSettingsOf(chosen))
const site = 'http://localhost:3000'

test('what nobody sets is what the service has by itself', () => {
  expect(configOf({})).toEqual(defaultAuthConfig({ siteUrl: site }))
  expect(ownMailServerOf(authSettingsOf({}))).toBeUndefined()
})

test('a value of another kind, and a key that nobody knows, count as not set', () => {
  const odd = { SITE_URL: 7, JWT_EXP: 'soon', DISABLE_SIGNUP: 'yes', NEW_KEY: true }
  expect(configOf(odd)).toEqual(defaultAuthConfig({ siteUrl: site }))
})

test('every setting that is offered is looked at, and none that is not', () => {
  const looked = new Set<string>()
  const watched = new Proxy(
    authSettingsOf({ EXTERNAL_PHONE_ENABLED: true, SMTP_HOST: 'mail.example.com' }),
    {
      get(settings, key: string) {
        looked.add(key)
        return Reflect.get(settings, key) as unknown
      },
    },
  )
  authConfigOf(watched)
  ownMailServerOf(watched)
  // The access token's life is read where the tenant is made; accounts are looked at for the chosen service alone.
  const elsewhere = (key: string) => key === 'JWT_EXP' || /^SMS_[A-Z]+_/.test(key)
  const parts = /_(CLIENT_ID|SECRET|URL|ADDITIONAL_CLIENT_IDS|URI|SECRETS|PROVIDER)$/
  const ofUnoffered = (key: string) => {
    const [, name = ''] =
      /^(EXTERNAL_[A-Z_]+?|HOOK_[A-Z_]+?|SECURITY_CAPTCHA)_(?=[A-Z_]+$)/.exec(key) ?? []
    return name !== '' && parts.test(key) && !looked.has(`${key.replace(parts, '')}_ENABLED`)
  }
  const ignored = authKeys.filter((key) => !looked.has(key) && !elsewhere(key) && !ofUnoffered(key))
  expect(ignored).toEqual([])
})

test('the strictest requirement of passwords asks for each kind of character, a colon among the symbols', () => {
  const strictest = passwordRequirements.at(-1)
  const config = configOf({ PASSWORD_REQUIRED_CHARACTERS: strictest })
  expect(config.passwordRequiredCharacters).toHaveLength(4)
  expect(() => checkPassword(config, 'Abcdef1:')).not.toThrow()
  for (const lacking of ['abcdef1:', 'ABCDEF1:', 'Abcdefg:', 'Abcdefg1']) {
    expect(() => checkPassword(config, lacking)).toThrow()
  }
})

test.each([
  [
    'twilio',
    {
      SMS_TWILIO_ACCOUNT_SID: 'a',
      SMS_TWILIO_AUTH_TOKEN: 'b',
      SMS_TWILIO_MESSAGE_SERVICE_SID: 'c',
    },
  ],
  [
    'twilio_verify',
    {
      SMS_TWILIO_VERIFY_ACCOUNT_SID: 'a',
      SMS_TWILIO_VERIFY_AUTH_TOKEN: 'b',
      SMS_TWILIO_VERIFY_MESSAGE_SERVICE_SID: 'c',
    },
  ],
  ['messagebird', { SMS_MESSAGEBIRD_ACCESS_KEY: 'a', SMS_MESSAGEBIRD_ORIGINATOR: 'b' }],
  ['textlocal', { SMS_TEXTLOCAL_API_KEY: 'a', SMS_TEXTLOCAL_SENDER: 'b' }],
  ['vonage', { SMS_VONAGE_API_KEY: 'a', SMS_VONAGE_API_SECRET: 'b', SMS_VONAGE_FROM: 'c' }],
])('text messages go through %s when its account is complete', (kind, account) => {
  expect(configOf({ SMS_PROVIDER: kind, ...account }).smsProvider).toMatchObject({ kind })
  expect(configOf({ SMS_PROVIDER: kind }).smsProvider).toBeUndefined()
})

test('the providers that are on are offered, with the accounts they have', () => {
  const on = {
    EXTERNAL_GITHUB_ENABLED: true,
    EXTERNAL_GITHUB_CLIENT_ID: 'id',
    EXTERNAL_GITHUB_SECRET: 'secret',
    EXTERNAL_GITLAB_ENABLED: true,
    EXTERNAL_KEYCLOAK_ENABLED: true,
    EXTERNAL_KEYCLOAK_URL: 'https://login.example.com/realms/one',
  }
  expect(configOf(on).external).toMatchObject([
    { name: 'github', clientId: 'id', clientSecret: 'secret', guarded: true },
    { name: 'gitlab', issuer: 'https://gitlab.com' },
    { name: 'keycloak', issuer: 'https://login.example.com/realms/one' },
  ])
})

test('a text of the project’s own has a plain text that says the same', () => {
  const html = `<html><head><title>No</title><style>p { color: red }</style></head><body>
    <!-- <p>no</p> --><h1>Hallo  Welt</h1><p>Ja &amp; nein,<br/>mit <a class=x href="{{ .ConfirmationURL }}"><b>Link</b></a>.</p>
    <script>no()</script><ul><li>Code {{ .Token }}</li></ul></body></html>`
  expect(plainTextOf(html)).toBe(
    'Hallo Welt\n\nJa & nein,\nmit Link: {{ .ConfirmationURL }}.\n\nCode {{ .Token }}',
  )
  const { mailTemplates } = configOf({
    MAILER_TEMPLATES_RECOVERY_CONTENT: html,
    MAILER_TEMPLATES_INVITE_CONTENT: builtInMails.invite.html,
    MAILER_SUBJECTS_INVITE: 'Komm!',
  })
  expect(Object.keys(mailTemplates)).toEqual(['invite', 'recovery'])
  expect(mailTemplates.invite).toEqual({ subject: 'Komm!' })
})

test.each([
  '<'.repeat(50_000),
  '<a href="'.repeat(5000),
  '<style>'.repeat(7000),
  '<!--'.repeat(12_000),
])('no text takes long to read, whatever stands in it', (html) => {
  const start = performance.now()
  plainTextOf(html)
  expect(performance.now() - start).toBeLessThan(1000)
})
