import type { ComponentProps } from 'react'
import { cx } from '../cx.ts'
import { Field, type FieldProps } from './Field.tsx'

type Props = FieldProps & Omit<ComponentProps<'textarea'>, 'id' | 'className'> & { mono?: boolean }

export function TextArea({ label, help, error, labelEnd, mono, rows = 3, ...input }: Props) {
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
