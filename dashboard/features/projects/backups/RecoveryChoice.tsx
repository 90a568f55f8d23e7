import { Radio } from '../../../ui/controls/Radio.tsx'
import { RadioGroup } from '../../../ui/controls/RadioGroup.tsx'
import { recoveryOffers } from './recovery-offers.ts'

type Props = {
  value: string
  disabled: boolean
  onChange: (identifier: string) => void
}

/** For how long one can go back, and what that costs. */
export function RecoveryChoice({ value, disabled, onChange }: Props) {
  return (
    <RadioGroup label="How far back">
      {recoveryOffers.map(({ identifier, days, price }) => (
        <Radio
          key={identifier}
          name="recovery"
          label={`${days} days`}
          help={price}
          value={identifier}
          checked={value === identifier}
          disabled={disabled}
          onChange={() => onChange(identifier)}
        />
      ))}
    </RadioGroup>
  )
}
