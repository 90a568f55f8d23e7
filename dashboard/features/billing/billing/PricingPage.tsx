import { Link } from '@tanstack/react-router'
import { pricingPlans } from '#contract/billing/pricing-plans'
import { useContent } from '../../../session/organization/mode.ts'
import { Logo } from '../../../ui/text/Logo.tsx'
import { PlanTable } from './PlanTable.tsx'
import { PricingCard } from './PricingCard.tsx'
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
