import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { Field, type FieldProps } from './Field.tsx'
import { IconButton } from './IconButton.tsx'

type Props = FieldProps &
  Omit<ComponentProps<'input'>, 'id' | 'className' | 'type' | 'size'> & {
    /** Under the field, as a strength meter. */
    below?: ReactNode
    /** At the right end of the field, before the eye. */
    action?: ReactNode
  }

/** A password, hidden until the eye is pressed. */
export function PasswordField({ label, help, error, labelEnd, below, action, ...input }: Props) {
  const [shown, setShown] = useState(false)
  return (
    <Field label={label} help={help} error={error} labelEnd={labelEnd}>
      {(control) => (
        <>
          <div className="in f ends" aria-invalid={control['aria-invalid']}>
            <input
              autoCapitalize="off"
              spellCheck={false}
              {...control}
              {...input}
              type={shown ? 'text' : 'password'}
              className={shown ? 'shown' : undefined}
            />
            {action}
            <IconButton
              icon={shown ? EyeOff : Eye}
              label={shown ? 'Hide password' : 'Show password'}
              aria-pressed={shown}
              onClick={() => setShown(!shown)}
            />
          </div>
          {below}
        </>
      )}
    </Field>
  )
}
