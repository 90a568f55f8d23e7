import { RefreshCw } from 'lucide-react'
import type { ComponentProps } from 'react'
import { CopyButton } from '../../ui/controls/CopyButton.tsx'
import { IconButton } from '../../ui/controls/IconButton.tsx'
import { PasswordField } from '../../ui/controls/PasswordField.tsx'
import type { StrengthView } from '../../ui/controls/password-strength.ts'
import { StrengthMeter } from '../../ui/controls/StrengthMeter.tsx'
import { newPassword } from './new-password.ts'

type Props = Omit<ComponentProps<'input'>, 'id' | 'className' | 'type' | 'size'> & {
  password: string
  strength: StrengthView | undefined
  error: string | undefined
  onGenerate: (password: string) => void
}

/** The password of the database's owner: typed or generated, copied, and judged while it is typed. */
export function DatabasePassword({ password, strength, error, onGenerate, ...input }: Props) {
  return (
    <PasswordField
      label="Database password"
      autoComplete="new-password"
      // What the check says already stands at the meter.
      error={error === strength?.warning ? undefined : error}
      action={
        <>
          {password && <CopyButton text={password} what="password" />}
          <IconButton
            icon={RefreshCw}
            label="Generate a password"
            onClick={() => onGenerate(newPassword())}
          />
        </>
      }
      below={
        <StrengthMeter
          view={strength}
          hint={error ? '' : 'Enter or generate one, and keep it: it cannot be shown again.'}
        />
      }
      {...input}
    />
  )
}
