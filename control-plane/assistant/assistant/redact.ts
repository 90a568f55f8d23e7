/** What looks like a secret in a text that leaves for a model, and what stands in its place. */
const secrets: readonly [RegExp, string][] = [
  // The password of any connection string, and everything of it that is not the scheme.
  [/\b([a-z][a-z0-9+.-]{1,20}:\/\/)[^\s:@/'"`]*:[^\s@'"`]+@[^\s'"`]*/gi, '$1[removed]'],
  [/\bpassword\s*=\s*(?:'[^']*'|[^\s;'"`]+)/gi, 'password=[removed]'],
  // SQL that sets a password.
  [/\b((?:encrypted\s+)?password\s+)'[^']*'/gi, "$1'[removed]'"],
  // JSON Web Tokens, and with them the anon and service keys of projects.
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, '[removed key]'],
  // Access tokens, opaque project keys, and the keys of well-known providers.
  [/\bsb(?:p|p_oauth|_secret|_publishable)_[\w-]{8,}/g, '[removed key]'],
  [/\b(?:sk|rk|pk|whsec)[-_][\w-]{16,}/g, '[removed key]'],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, '[removed key]'],
  [/\bgh[pousr]_\w{20,}/g, '[removed key]'],
  [/\b(bearer\s+)[\w.~+/-]{12,}=*/gi, '$1[removed key]'],
  [
    /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
    '[removed key]',
  ],
]

/** The text without anything that looks like a key, a password or a connection string. */
export const redact = (text: string): string =>
  secrets.reduce((clean, [pattern, instead]) => clean.replace(pattern, instead), text)
