import { CircleHelp, Gauge, Check } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { offeredComparison } from '#contract/capabilities'
import { planIds, planNames, type PlanId } from '#contract/billing/plans'
import { pricingPlans } from '#contract/billing/pricing-plans'
import type { PlanValue } from '#contract/billing/plan-feature'
import { cx } from '../../../ui/cx.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { Later } from '../../../ui/Later.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { Tooltip } from '../../../ui/floats/Tooltip.tsx'

type Props = {
  /** The plan one is on: its column stands out. */
  current?: PlanId
  badge?: (plan: PlanId) => ReactNode
  /** The button below a plan's price. */
  action: (plan: PlanId) => ReactNode
}

const [first, ...rest] = offeredComparison
const choices = planIds.map((value) => ({ value, label: planNames[value] }))

/** The comparison of the plans, section by section (requirements §1). A narrow screen shows one plan at a time. */
export function PlanTable({ current, badge, action }: Props) {
  const [shown, setShown] = useState<PlanId>(current ?? 'pro')
  const column = (plan: PlanId) => cx(plan === current && 'cur', plan !== shown && 'wide-only')
  const rowsOf = (section: (typeof offeredComparison)[number]) => (
    <tbody key={section.key}>
      <tr className="sec">
        <th scope="rowgroup">{section.title}</th>
        {planIds.map((plan) => (
          // oxlint-disable-next-line jsx-a11y/control-has-associated-label -- carries the colour of its column on; an empty cell is no control
          <td key={plan} className={column(plan)} />
        ))}
      </tr>
      {section.features.map((row) => (
        <tr key={row.key}>
          <th scope="row">
            {row.title}
            {row.usage_based && <Mark icon={Gauge} text="Billed by use" />}
            {row.tooltip && <Mark icon={CircleHelp} text={row.tooltip} />}
          </th>
          {planIds.map((plan) => (
            <td key={plan} className={column(plan)}>
              <PlanValueCell value={row.plans[plan]} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  )
  return (
    <>
      <div className="narrow-plan">
        <Segmented label="Plan to show" options={choices} value={shown} onChange={setShown} />
      </div>
      <table className="cmp" aria-label="Plan comparison">
        <thead>
          <tr>
            <th scope="col">
              <span className="sr">Feature</span>
            </th>
            {pricingPlans.map(({ planId, name, priceMonthly, costUnit }) => (
              <th key={planId} scope="col" className={column(planId)}>
                <b>
                  {name}
                  {badge?.(planId)}
                </b>
                <span className="pr tn">
                  {typeof priceMonthly === 'number' ? `$${priceMonthly}` : priceMonthly}
                  {costUnit && <i> {costUnit}</i>}
                </span>
                {action(planId)}
              </th>
            ))}
          </tr>
        </thead>
        {first && rowsOf(first)}
        <Later>{rest.map(rowsOf)}</Later>
      </table>
    </>
  )
}

const Mark = ({ icon, text }: { icon: typeof Gauge; text: string }) => (
  <Tooltip text={text}>
    <button type="button" className="cmp-mark" aria-label={text}>
      <Icon of={icon} size="xs" />
    </button>
  </Tooltip>
)

/** What a plan offers of a feature: a mark, a text, or a text and what more of it costs. */
function PlanValueCell({ value }: { value: PlanValue }) {
  if (value === true) {
    return (
      <span className="yes">
        <Icon of={Check} size="s" />
        <span className="sr">Included</span>
      </span>
    )
  }
  if (value === false) {
    return (
      <span className="noo">
        <span aria-hidden>–</span>
        <span className="sr">Not included</span>
      </span>
    )
  }
  if (typeof value === 'string') return value
  const [first, ...more] = value
  return (
    <>
      {first} <span className="faint">{more.join(' ')}</span>
    </>
  )
}
