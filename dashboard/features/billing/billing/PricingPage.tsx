import { Link } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { pricingPlans, type PricingPlan } from '#contract/billing/pricing-plans'
import { useContent } from '../../../session/organization/mode.ts'
import { Logo } from '../../../ui/text/Logo.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { PlanTable } from './PlanTable.tsx'
import './billing.css'

/** /pricing: what Plinth costs, for everybody, signed in or not. */
export function PricingPage() {
  const { app_title: app } = useContent()
  return (
    <div className="pricing">
      <header>
        <Link to="/organizations" className="pricing-logo">
          <Logo /> {app}
        </Link>
        <span className="grow" />
        <Link to="/organizations" className="btn">
          Dashboard
        </Link>
      </header>
      <main className="main" id="main">
        <h1>Plans and prices</h1>
        <p className="muted pricing-lead">
          Each organization has a plan. Its projects share what the plan includes.
        </p>
        <div className="price-cards">
          {pricingPlans.map((plan) => (
            <PricingCard key={plan.id} plan={plan} />
          ))}
        </div>
        <h2 className="sh">Compare plans</h2>
        <PlanTable
          action={(id) => {
            const plan = pricingPlans.find(({ planId }) => planId === id)
            return (
              plan && (
                <Link to={plan.href} className={`btn f ${id === 'pro' ? 'pri' : ''}`}>
                  {plan.cta}
                </Link>
              )
            )
          }}
        />
      </main>
    </div>
  )
}

/** One plan of the pricing page, with its call to action. */
function PricingCard({ plan }: { plan: PricingPlan }) {
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
