import { Field, type FieldProps } from './Field.tsx'
import type { Option } from './options.ts'
import { Select } from './Select.tsx'

type Props<Value extends string> = Omit<FieldProps, 'label'> & {
  label: string
  options: readonly Option<Value>[]
  value: Value | undefined
  onChange: (value: Value) => void
  placeholder?: string
  disabled?: boolean | undefined
}

export function SelectField<Value extends string>({
  label,
  help,
  error,
  labelEnd,
  ...select
}: Props<Value>) {
  return (
    <Field label={label} help={help} error={error} labelEnd={labelEnd}>
      {(control) => <Select label={label} {...control} {...select} />}
    </Field>
  )
}
