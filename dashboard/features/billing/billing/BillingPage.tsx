import { useSuspenseQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { ReceiptText } from 'lucide-react'
import { useEffect } from 'react'
import type { HideableFeature } from '#contract/features'
import { api } from '#contract/api'
import { planNames } from '#contract/billing/plans'
import { useDisabledFeatures } from '../../../session/identity/profile.ts'
import { useOrganization } from '../../../session/organization/organizations.ts'
import type { WantedPlan } from '../../../session/organization/wanted-plan.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Later } from '../../../ui/Later.tsx'
import { Page } from '../../../ui/Page.tsx'
import { PageHead } from '../../../ui/PageHead.tsx'
import { SideNav } from '../../../ui/navigation/SideNav.tsx'
import { useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { AddressSection } from './AddressSection.tsx'
import { CreditsSection } from './CreditsSection.tsx'
import { CustomerSection } from './CustomerSection.tsx'
import { dayOf } from './dates.ts'
import { InvoicesSection } from './InvoicesSection.tsx'
import { NowCard } from './NowCard.tsx'
import { PaymentSection } from './PaymentSection.tsx'
import { forgetBilling, subscriptionQuery } from './queries.ts'
import { PlanSection } from './PlanSection.tsx'
import './billing.css'

type Section = { name: string; to: string; feature?: HideableFeature }

/** In the order of what people come for: what it costs, how it is paid, what was paid; the long comparison is last. */
const allSections: readonly Section[] = [
  { name: 'Upcoming invoice', to: 'upcoming' },
  { name: 'Cost control', to: 'cost' },
  { name: 'Payment methods', to: 'payment', feature: 'billing:payment_methods' },
  { name: 'Invoices', to: 'invoices', feature: 'billing:invoices' },
  { name: 'Credits', to: 'credits', feature: 'billing:credits' },
  { name: 'Billing email', to: 'email', feature: 'billing:account_data' },
  { name: 'Billing address', to: 'address', feature: 'billing:account_data' },
  { name: 'Plans', to: 'plan' },
]
const partners = {
  vercel_marketplace: 'the Vercel Marketplace',
  aws_marketplace: 'the AWS Marketplace',
  fly: 'Fly.io',
} as const

type Props = {
  slug: string
  /** The plan whose panel is open. */
  wanted: WantedPlan | undefined
  onWanted: (plan: WantedPlan | undefined) => void
}

/** /org/{slug}/billing: everything about money, with an anchor for each part. */
export function BillingPage({ slug, wanted, onWanted }: Props) {
  const organization = useOrganization(slug)
  const { data: subscription } = useSuspenseQuery(subscriptionQuery(slug))
  const navigate = useNavigate()
  const { hash } = useLocation()
  const off = useDisabledFeatures()
  const sections = allSections.filter(({ feature }) => !(feature && off(feature)))
  const has = (id: string) => sections.some(({ to }) => to === id)
  const open = has(hash) ? hash : 'upcoming'
  useEffect(() => {
    if (hash) document.getElementById(hash)?.scrollIntoView()
  }, [hash])
  const partner = subscription.billing_partner
  return (
    <SideNav
      title="Billing"
      groups={[{ entries: sections }]}
      current={open}
      link={({ name, to }) => (
        <a key={to} href={`#${to}`} aria-current={to === open ? 'location' : undefined}>
          {name}
        </a>
      )}
      onChoose={(to) => void navigate({ to: '.', hash: to })}
    >
      <Page>
        <PageHead
          title="Billing"
          help={`${organization.name} is on ${subscription.plan.name}. ${subscription.plan.id === 'free' ? 'Its period ends' : 'Next invoice'} on ${dayOf(subscription.next_invoice_at)}.`}
          actions={
            <>
              {has('invoices') && (
                <a className="btn" href="#invoices">
                  <Icon of={ReceiptText} />
                  Invoices
                </a>
              )}
              <a className="btn" href="#plan">
                Change plan
              </a>
            </>
          }
        />
        <div className="billing">
          {partner && (
            <Alert
              variant="info"
              title={`This organization is billed through ${partners[partner]}`}
            >
              Invoices and payment methods are found there.
            </Alert>
          )}
          <PlannedChange slug={slug} />
          <NowCard slug={slug} />
          {!partner && has('payment') && <PaymentSection slug={slug} />}
          {has('invoices') && <InvoicesSection slug={slug} />}
          <Later>
            {!partner && has('credits') && <CreditsSection slug={slug} />}
            {has('address') && (
              <>
                <CustomerSection slug={slug} />
                <AddressSection slug={slug} />
              </>
            )}
            <PlanSection slug={slug} wanted={wanted} onWanted={onWanted} />
          </Later>
        </div>
      </Page>
    </SideNav>
  )
}

/** That the plan changes at the end of the period, and the way to keep the present one. */
function PlannedChange({ slug }: { slug: string }) {
  const { data: subscription } = useSuspenseQuery(subscriptionQuery(slug))
  const reason = useDenials({ organizationSlug: slug })(api.billing.changeSubscription)
  const { plan, scheduled_plan_change: scheduled } = subscription
  const stay = useCall(api.billing.changeSubscription, {
    onSuccess: async () => {
      await forgetBilling()
      toast.success(`The organization stays on ${plan.name}`)
    },
    onError: (error) => toast.error(error.message),
  })
  if (!scheduled) return null
  return (
    <div className="planned">
      <Alert
        variant="info"
        title={`This organization moves to ${planNames[scheduled.target_plan]} on ${dayOf(scheduled.at)}`}
        action={
          <Button
            busy={stay.isPending}
            disabledReason={reason}
            onClick={() => {
              // Enterprise has no scheduled change: it is agreed, not subscribed to.
              if (subscription.tier !== 'tier_enterprise') {
                stay.mutate({ slug, tier: subscription.tier })
              }
            }}
          >
            Stay on {plan.name}
          </Button>
        }
      />
    </div>
  )
}
