import { Check, Circle } from 'lucide-react'
import { Icon } from '../Icon.tsx'

/** The rules of a password, each ticked as soon as it holds. */
export function PasswordRules({ password }: { password: string }) {
  // The longest length is news only to those who are over it.
  const rules = passwordRules.filter((rule) => rule.id !== 'bytes' || !rule.holds(password))
  return (
    <ul className="rules" aria-label="Password rules">
      {rules.map((rule) => {
        const met = password !== '' && rule.holds(password)
        return (
          <li key={rule.id} className={met ? 'met' : undefined}>
            <Icon of={met ? Check : Circle} size="xs" />
            {rule.label}
            <span className="sr">{met ? ', met' : ', not met'}</span>
          </li>
        )
      })}
    </ul>
  )
}

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
