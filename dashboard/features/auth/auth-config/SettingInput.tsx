import { useId } from 'react'
import { Controller, type Control, type UseFormRegisterReturn } from 'react-hook-form'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { PasswordField } from '../../../ui/controls/PasswordField.tsx'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { TextArea } from '../../../ui/controls/TextArea.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { Radio, RadioGroup } from '../../../ui/controls/Radio.tsx'
import type { FormValues, SettingField } from './setting-field.ts'
import { factorModes } from './settings-form.ts'

type Props = {
  field: SettingField
  /** It can be read and not changed. */
  locked: boolean
  error: string | undefined
  value: string | boolean | undefined
  /** A secret is there already. */
  kept: boolean
  input: UseFormRegisterReturn
  control: Control<FormValues>
}

/** Secrets of others: browsers must not offer the reader's own password, nor keep this one. */
const unkept = { autoComplete: 'new-password', spellCheck: false } as const
const plain = { autoComplete: 'off', spellCheck: false } as const

/** The control that stands for one setting. */
export function SettingInput({ field, locked, error, value, kept, input, control }: Props) {
  const note = useId()
  const { label, help } = field
  const common = { label, help, error, readOnly: locked, ...input }
  switch (field.kind) {
    case 'check':
      return (
        <div className="setting-check">
          <Checkbox
            label={label}
            aria-describedby={help ? note : undefined}
            // The form forgets what a disabled control holds.
            {...(locked ? { checked: value === true, disabled: true, readOnly: true } : input)}
          />
          {help && <p id={note}>{help}</p>}
          {error && (
            <p className="err" role="alert">
              {error}
            </p>
          )}
        </div>
      )
    case 'factor':
      return <FactorChoice label={label} locked={locked} value={value} input={input} />
    case 'lines':
      return <TextArea mono rows={6} spellCheck={false} {...common} />
    case 'area':
      return <TextArea rows={3} {...common} />
    case 'secret':
      return (
        <PasswordField
          {...common}
          {...unkept}
          placeholder={kept ? 'Stored. Leave it empty to keep it.' : undefined}
        />
      )
    case 'choice':
      return (
        <Controller
          control={control}
          name={field.key}
          render={({ field: { value: chosen, onChange } }) => (
            <SelectField
              label={label}
              help={help}
              error={error}
              disabled={locked}
              options={field.choices}
              value={String(chosen)}
              onChange={onChange}
            />
          )}
        />
      )
    case 'whole': {
      const number = Number(value)
      const reads = value !== '' && Number.isInteger(number) ? field.reads?.(number) : undefined
      return (
        <TextField
          {...common}
          {...plain}
          // Behind a number it stays on one line.
          unit={(reads ?? field.unit)?.replaceAll(' ', '\u00a0')}
          inputMode="numeric"
        />
      )
    }
    case 'text':
      return (
        <TextField mono={!field.prose} {...common} {...plain} placeholder={field.placeholder} />
      )
  }
}

const words: Record<(typeof factorModes)[number], { label: string; help: string }> = {
  enabled: { label: 'Enabled', help: 'Users can add this factor and sign in with it.' },
  verify: {
    label: 'Verify enabled',
    help: 'People who have one can still sign in with it; no one can add another.',
  },
  disabled: { label: 'Disabled', help: 'No one can add one or sign in with it.' },
}

type FactorChoiceProps = {
  label: string
  locked: boolean
  value: string | boolean | undefined
  input: UseFormRegisterReturn
}

/** How one kind of second factor is offered. */
function FactorChoice({ label, locked, value, input }: FactorChoiceProps) {
  return (
    <RadioGroup label={label}>
      {factorModes.map((mode) => (
        <Radio
          key={mode}
          value={mode}
          {...words[mode]}
          // The form forgets what a disabled control holds.
          {...(locked ? { checked: value === mode, disabled: true, readOnly: true } : input)}
        />
      ))}
    </RadioGroup>
  )
}
