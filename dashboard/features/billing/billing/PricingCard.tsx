import { Link } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import type { PricingPlan } from '#contract/billing/pricing-plans'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Icon } from '../../../ui/Icon.tsx'

/** One plan of the pricing page, with its call to action. */
export function PricingCard({ plan }: { plan: PricingPlan }) {
  const { name, nameBadge, priceLabel, priceMonthly, costUnit, preface, warning, footer } = plan
  return (
    <article className="card price-card" aria-label={`${name} plan`}>
      <h2>
        {name} {nameBadge && <Badge tone="info">{nameBadge}</Badge>}
      </h2>
      <p className="muted">{plan.description}</p>
      <p className="price">
        {priceLabel && <span className="muted">{priceLabel}</span>}
        <span className="big tn">
          {typeof priceMonthly === 'number' ? `$${priceMonthly}` : priceMonthly}
        </span>
        {costUnit && <span className="muted">{costUnit}</span>}
      </p>
      <p className="price-warning">{warning}</p>
      <Link to={plan.href} className={`btn f ${plan.planId === 'pro' ? 'pri' : ''}`}>
        {plan.cta}
      </Link>
      {preface && <p className="muted">{preface}</p>}
      <ul>
        {plan.features.map((feature) => {
          const [text, more] = typeof feature === 'string' ? [feature] : feature
          return (
            <li key={text}>
              <Icon of={Check} size="s" />
              <span>
                {text}
                {more && <span className="price-more">{more}</span>}
              </span>
            </li>
          )
        })}
      </ul>
      {footer && <p className="price-footer">{footer}</p>}
    </article>
  )
}
