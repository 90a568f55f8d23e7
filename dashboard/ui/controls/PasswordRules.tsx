import { Check, Circle } from 'lucide-react'
import { Icon } from '../Icon.tsx'
import { passwordRules } from './password-rules.ts'

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
