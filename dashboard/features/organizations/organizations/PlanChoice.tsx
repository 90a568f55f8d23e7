import { Link } from '@tanstack/react-router'
import { planOfTier, planPriceLabels, type SelfServiceTier } from '#contract/billing/plans'
import { Radio } from '../../../ui/controls/Radio.tsx'
import { startingPlans } from './organization-choices.ts'

type Props = { value: SelfServiceTier; onChange: (tier: SelfServiceTier) => void }

/** The plan to start on, as cards. */
export function PlanChoice({ value, onChange }: Props) {
  return (
    <fieldset className="field">
      <legend className="label">Plan</legend>
      <div className="plans">
        {startingPlans.map(({ tier, about }) => (
          <div key={tier} className="plan">
            <Radio
              name="tier"
              label={<span className="med">{planPriceLabels[planOfTier[tier]]}</span>}
              help={about}
              checked={value === tier}
              onChange={() => onChange(tier)}
            />
          </div>
        ))}
      </div>
      <p className="help">
        {planPriceLabels.enterprise}:{' '}
        <Link
          className="link"
          to="/support/new"
          search={{ category: 'Sales', subject: 'Enterprise' }}
        >
          contact us
        </Link>
        .{' '}
        <Link className="link" to="/pricing">
          Compare plans
        </Link>
      </p>
    </fieldset>
  )
}
