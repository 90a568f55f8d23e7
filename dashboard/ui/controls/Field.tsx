import { CircleAlert } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Icon } from '../Icon.tsx'

export type FieldProps = {
  label: ReactNode
  /** One sentence below. Gives way to the error. */
  help?: ReactNode
  error?: string | undefined
  /** At the right end of the label line, as "Forgot password?". */
  labelEnd?: ReactNode
}

/** What the control inside a field carries so that label, help and error belong to it. */
export type ControlProps = {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

type Props = FieldProps & { children: (control: ControlProps) => ReactNode }

/** Label, one control, and below it the help or what is wrong. */
export function Field({ label, help, error, labelEnd, children }: Props) {
  const id = useId()
  const note = `${id}-note`
  return (
    <div className="field">
      <div className="label">
        <label htmlFor={id}>{label}</label>
        {labelEnd}
      </div>
      {children({
        id,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': error || help ? note : undefined,
      })}
      {error ? (
        <p className="err" id={note} role="alert">
          <Icon of={CircleAlert} size="xs" />
          {error}
        </p>
      ) : (
        help && (
          <div className="help" id={note}>
            {help}
          </div>
        )
      )}
    </div>
  )
}
