import type { WrapperOption } from '#contract/database/wrappers'
import { PasswordField } from '../../../ui/controls/PasswordField.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'

type Props = {
  options: readonly WrapperOption[]
  values: Readonly<Record<string, string>>
  onChange: (values: Record<string, string>) => void
}

/** One field for each thing that a wrapper wants to be told. */
export function OptionFields({ options, values, onChange }: Props) {
  return options.map(({ name, label, secret, placeholder, required }) => {
    const shared = {
      label: required ? label : `${label} (optional)`,
      autoComplete: secret ? 'new-password' : 'off',
      value: values[name] ?? '',
      placeholder,
      onChange: (event: { target: { value: string } }) =>
        onChange({ ...values, [name]: event.target.value }),
    }
    return secret ? (
      <PasswordField key={name} {...shared} />
    ) : (
      <TextField key={name} mono {...shared} />
    )
  })
}

/** Whether everything that must be told is told. */
export const isComplete = (
  options: readonly WrapperOption[],
  values: Readonly<Record<string, string>>,
) => options.every(({ name, required }) => !required || Boolean(values[name]?.trim()))
