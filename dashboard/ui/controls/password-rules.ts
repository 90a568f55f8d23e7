/** What a password of a dashboard account has to have. bcrypt reads 72 bytes, so longer ones would be cut unseen. */
export const passwordRules = [
  { id: 'upper', label: 'An upper-case letter', holds: (p: string) => /\p{Lu}/u.test(p) },
  { id: 'lower', label: 'A lower-case letter', holds: (p: string) => /\p{Ll}/u.test(p) },
  { id: 'digit', label: 'A digit', holds: (p: string) => /\d/.test(p) },
  {
    id: 'special',
    label: 'A special character, such as ! or ?',
    holds: (p: string) => /[^\p{L}\p{N}\s]/u.test(p),
  },
  { id: 'length', label: '8 characters or more', holds: (p: string) => Array.from(p).length >= 8 },
  { id: 'bytes', label: 'At most 72 characters', holds: (p: string) => bytes(p) <= 72 },
] as const

const bytes = (text: string) => new TextEncoder().encode(text).length

export const isAcceptable = (password: string) =>
  passwordRules.every((rule) => rule.holds(password))
