import type { ComponentProps, ReactNode } from 'react'
import { cx } from '../cx.ts'
import { Field, type FieldProps } from './Field.tsx'

type Props = FieldProps &
  Omit<ComponentProps<'input'>, 'id' | 'className' | 'size'> & {
    /** Data (ids, names of columns, URLs) is mono. */
    mono?: boolean
    /** Faint words inside the right end, as "seconds". */
    unit?: ReactNode
    size?: 'tool' | 'form'
  }

export function TextField({
  label,
  help,
  error,
  labelEnd,
  mono,
  unit,
  size = 'form',
  ...input
}: Props) {
  return (
    <Field label={label} help={help} error={error} labelEnd={labelEnd}>
      {(control) => (
        <div
          className={cx('in', size === 'form' && 'f', mono && 'mono')}
          aria-invalid={control['aria-invalid']}
          aria-disabled={input.disabled || undefined}
        >
          <input type="text" {...control} {...input} />
          {unit && <span className="faint">{unit}</span>}
        </div>
      )}
    </Field>
  )
}

type TextAreaProps = FieldProps &
  Omit<ComponentProps<'textarea'>, 'id' | 'className'> & { mono?: boolean }

export function TextArea({
  label,
  help,
  error,
  labelEnd,
  mono,
  rows = 3,
  ...input
}: TextAreaProps) {
  return (
    <Field label={label} help={help} error={error} labelEnd={labelEnd}>
      {(control) => (
        <div
          className={cx('in f area', mono && 'mono')}
          aria-invalid={control['aria-invalid']}
          aria-disabled={input.disabled || undefined}
        >
          <textarea rows={rows} {...control} {...input} />
        </div>
      )}
    </Field>
  )
}
