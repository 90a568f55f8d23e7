/** Where the auth service asks a project before it goes on, as the settings are named: `HOOK_<name>_ENABLED`. */
export const authHooks = [
  'BEFORE_USER_CREATED',
  'CUSTOM_ACCESS_TOKEN',
  'MFA_VERIFICATION_ATTEMPT',
  'PASSWORD_VERIFICATION_ATTEMPT',
  'SEND_EMAIL',
  'SEND_SMS',
] as const
export type AuthHook = (typeof authHooks)[number]

/** A function of the project's database with one argument of type json or jsonb, or an address on the internet. */
export type HookTarget =
  | { kind: 'database'; schema: string; name: string }
  | { kind: 'http'; url: string }

const ofDatabase =
  /^pg-functions:\/\/postgres\/([a-z_][a-z0-9_$]{0,62})\/([a-z_][a-z0-9_$]{0,62})$/i
const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Reads a hook's address; undefined when it is none. Plain http is for servers on the same machine only. */
export function hookTargetOf(uri: string): HookTarget | undefined {
  const [, schema, name] = ofDatabase.exec(uri) ?? []
  if (schema !== undefined && name !== undefined) return { kind: 'database', schema, name }
  if (!URL.canParse(uri)) return undefined
  const { protocol, hostname, username, password } = new URL(uri)
  const fits = protocol === 'https:' || (protocol === 'http:' && loopback.has(hostname))
  return fits && username === '' && password === '' ? { kind: 'http', url: uri } : undefined
}

export const hookUriProblem =
  'must be an https:// address, or pg-functions://postgres/<schema>/<function>'

/** The secrets that requests to an address are signed with: `v1,whsec_` and base64, with `|` between several. */
export function hookSecretsOf(text: string): string[] {
  return text
    .split('|')
    .map((secret) => secret.trim())
    .flatMap((secret) => {
      const found = /^v1,whsec_([A-Za-z0-9+/]{32,88}={0,2})$/.exec(secret)?.[1]
      return found === undefined ? [] : [found]
    })
}

export const hookSecretsProblem =
  'must be v1,whsec_ and a secret of 32 to 88 characters in base64, with | between several'
