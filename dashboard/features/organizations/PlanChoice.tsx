import type { Tier } from '#contract/plans'
import { Radio } from '../../ui/Radio.tsx'
import { startingPlans } from './organization-choices.ts'

type Props = { value: Tier; onChange: (tier: Tier) => void }

/** The plan to start on, as cards. */
export function PlanChoice({ value, onChange }: Props) {
  return (
    <fieldset className="field">
      <legend className="label">Plan</legend>
      <div className="plans">
        {startingPlans.map(({ tier, name, price, about }) => (
          <div key={tier} className="plan">
            <Radio
              name="tier"
              label={
                <>
                  <span className="med">{name}</span> <span className="muted">{price}</span>
                </>
              }
              help={about}
              checked={value === tier}
              onChange={() => onChange(tier)}
            />
          </div>
        ))}
      </div>
    </fieldset>
  )
}
