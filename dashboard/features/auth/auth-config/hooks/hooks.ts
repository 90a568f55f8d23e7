import { authSettings, type AuthKey } from '#contract/auth/auth-config-keys'

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
