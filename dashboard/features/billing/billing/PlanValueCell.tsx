import { Check } from 'lucide-react'
import type { PlanValue } from '#contract/billing/plan-feature'
import { Icon } from '../../../ui/Icon.tsx'

/** What a plan offers of a feature: a mark, a text, or a text and what more of it costs. */
export function PlanValueCell({ value }: { value: PlanValue }) {
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
