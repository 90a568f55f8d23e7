import { RefreshCw } from 'lucide-react'
import type { ComponentProps } from 'react'
import { CopyButton } from '../../ui/controls/CopyButton.tsx'
import { IconButton } from '../../ui/controls/IconButton.tsx'
import { PasswordField } from '../../ui/controls/PasswordField.tsx'
import type { StrengthView } from '../../ui/controls/password-strength.ts'
import { StrengthMeter } from '../../ui/controls/StrengthMeter.tsx'

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

const letters = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ'
const digits = '23456789'
// None of these needs escaping in a connection string.
const marks = '-_.~'
const alphabet = letters + digits + marks
const length = 24

type RandomBytes = (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>

/** A database password of 24 characters that can be pasted into a URL, with look-alikes (l, I, O, 0, 1) left out. */
export function newPassword(
  random: RandomBytes = (bytes) => crypto.getRandomValues(bytes),
): string {
  const limit = 256 - (256 % alphabet.length)
  let password = ''
  while (password.length < length)
    // Bytes above the limit would make the first letters of the alphabet likelier than the last.
    for (const byte of random(new Uint8Array(length)))
      if (byte < limit && password.length < length)
        password += alphabet[byte % alphabet.length] ?? ''
  return password
}
