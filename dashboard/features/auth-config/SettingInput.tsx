import type { UseFormRegisterReturn } from 'react-hook-form'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { TextField } from '../../ui/TextField.tsx'
import type { SettingField } from './settings-form.ts'

type Props = {
  field: SettingField
  /** For who may read it only. */
  locked: boolean
  error: string | undefined
  input: UseFormRegisterReturn
}

/** The part of a form that stands for one setting. */
export function SettingInput({ field, locked, error, input }: Props) {
  const { kind, label, help, unit } = field
  switch (kind) {
    case 'check':
      return (
        <div>
          <Checkbox label={label} disabled={locked} {...input} />
          {help && <p className="muted">{help}</p>}
        </div>
      )
    case 'lines':
      return (
        <TextArea
          label={label}
          help={help}
          error={error}
          mono
          rows={6}
          spellCheck={false}
          readOnly={locked}
          {...input}
        />
      )
    case 'whole':
      return (
        <TextField
          label={label}
          help={help}
          error={error}
          // Behind a number it stays on one line.
          unit={unit?.replaceAll(' ', '\u00a0')}
          inputMode="numeric"
          autoComplete="off"
          readOnly={locked}
          {...input}
        />
      )
    case 'text':
      return (
        <TextField
          label={label}
          help={help}
          error={error}
          mono
          autoComplete="off"
          spellCheck={false}
          readOnly={locked}
          {...input}
        />
      )
  }
}
