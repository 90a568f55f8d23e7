import type { UseFormRegisterReturn } from 'react-hook-form'
import { Radio } from '../../../ui/controls/Radio.tsx'
import { RadioGroup } from '../../../ui/controls/RadioGroup.tsx'
import { factorModes } from './settings-form.ts'

const words: Record<(typeof factorModes)[number], { label: string; help: string }> = {
  enabled: { label: 'Enabled', help: 'Users can add this factor and sign in with it.' },
  verify: {
    label: 'Verify enabled',
    help: 'People who have one can still sign in with it; no one can add another.',
  },
  disabled: { label: 'Disabled', help: 'No one can add one or sign in with it.' },
}

type Props = {
  label: string
  locked: boolean
  value: string | boolean | undefined
  input: UseFormRegisterReturn
}

/** How one kind of second factor is offered. */
export function FactorChoice({ label, locked, value, input }: Props) {
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
