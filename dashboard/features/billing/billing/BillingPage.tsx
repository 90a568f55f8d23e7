import { useSuspenseQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { ReceiptText } from 'lucide-react'
import { useEffect } from 'react'
import { useForm } from 'react-hook-form'
import type { HideableFeature } from '#contract/features'
import { billing } from '#contract/billing/billing'
import { planNames } from '#contract/billing/plans'
import { topUpBounds } from '#contract/billing/billing'
import { formatCents } from '#contract/billing/money'
import { useDisabledFeatures } from '../../../session/identity/profile.ts'
import { useOrganization } from '../../../session/organization/organizations.ts'
import type { RequestedPlan } from '../../../session/organization/requested-plan.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Later } from '../../../ui/Later.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { SideNav } from '../../../ui/navigation/SideNav.tsx'
import { useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { Card } from '../../../ui/Card.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { Switch } from '../../../ui/controls/Switch.tsx'
import { AddressSection } from './AddressSection.tsx'
import { centsOf } from './cents.ts'
import { customerQuery, ofBilling, subscriptionQuery, upcomingQuery } from './queries.ts'
import { CustomerSection } from './CustomerSection.tsx'
import { InvoicesSection, InvoiceLines, dayOf } from './InvoicesSection.tsx'
import { PaymentSection } from './PaymentSection.tsx'
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
  requested: RequestedPlan | undefined
  onRequested: (plan: RequestedPlan | undefined) => void
}

/** /org/{slug}/billing: everything about money, with an anchor for each part. */
export function BillingPage({ slug, requested, onRequested }: Props) {
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
            <PlanSection slug={slug} requested={requested} onRequested={onRequested} />
          </Later>
        </div>
      </Page>
    </SideNav>
  )
}

/** That the plan changes at the end of the period, and the way to keep the present one. */
function PlannedChange({ slug }: { slug: string }) {
  const { data: subscription } = useSuspenseQuery(subscriptionQuery(slug))
  const reason = useDenials({ organizationSlug: slug })(billing.changeSubscription)
  const { plan, scheduled_plan_change: scheduled } = subscription
  const stay = useCall(billing.changeSubscription, {
    changes: ofBilling,
    onSuccess: () => {
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

/** Money paid ahead: the next invoices use it up. */
function CreditsSection({ slug }: { slug: string }) {
  const { data: customer } = useSuspenseQuery(customerQuery(slug))
  const reason = useDenials({ organizationSlug: slug })(billing.creditsTopUp)
  const { register, handleSubmit, reset, formState } = useForm({ defaultValues: { amount: '' } })
  const topUp = useCall(billing.creditsTopUp, {
    changes: ofBilling,
    onSuccess: ({ number }) => {
      reset()
      toast.success(`Invoice ${number ?? ''} is created; the credit is added when it is paid`)
    },
  })
  return (
    <section id="credits">
      <Form
        error={topUp.error?.message}
        pending={topUp.isPending}
        onSubmit={handleSubmit(({ amount }) =>
          topUp.mutate({ slug, amount: centsOf(amount) ?? 0 }),
        )}
      >
        <Card
          title="Credits"
          end={<span className="tn">{formatCents(customer.balance)}</span>}
          footer={
            <Button type="submit" size="form" busy={topUp.isPending} disabledReason={reason}>
              Top up
            </Button>
          }
        >
          <TextField
            label="Amount in US dollars"
            inputMode="decimal"
            autoComplete="off"
            readOnly={reason !== undefined}
            placeholder="100.00"
            help="The next invoices use up your credits. Credits are not refunded."
            error={formState.errors.amount?.message}
            {...register('amount', {
              validate: (text) => {
                const cents = centsOf(text)
                if (cents === undefined) return 'Enter an amount such as 100 or 99.50'
                return (
                  (cents >= topUpBounds.least && cents <= topUpBounds.max) ||
                  `Between ${formatCents(topUpBounds.least)} and ${formatCents(topUpBounds.max)}`
                )
              },
            })}
          />
        </Card>
      </Form>
    </section>
  )
}

/** What the next invoice will be, what it comes from, and the spend cap. */
function NowCard({ slug }: { slug: string }) {
  const { data: subscription } = useSuspenseQuery(subscriptionQuery(slug))
  const { data: upcoming } = useSuspenseQuery(upcomingQuery(slug))
  const reason = useDenials({ organizationSlug: slug })(billing.changeSubscription)
  const change = useCall(billing.changeSubscription, {
    changes: ofBilling,
    onSuccess: ({ usage_billing_enabled }) => {
      toast.success(usage_billing_enabled ? 'Spend cap is off' : 'Spend cap is on')
    },
    onError: (error) => toast.error(error.message),
  })
  const pro = subscription.plan.id === 'pro'
  const capped = !subscription.usage_billing_enabled
  return (
    <div className="card now" id="upcoming">
      <div>
        <p className="med">{subscription.plan.name} plan</p>
        <p className="t12 muted">Due {dayOf(upcoming.period_end)}</p>
        <p className="big tn">{formatCents(upcoming.amount_due)}</p>
        <p className="t12 muted">
          {upcoming.projected_total === upcoming.subtotal
            ? howPaid(subscription.payment_method_type)
            : `${formatCents(upcoming.subtotal)} so far; the amount above is a projection`}
        </p>
      </div>
      <InvoiceLines
        lines={upcoming.lines}
        label="Upcoming invoice"
        credit={Math.max(0, upcoming.projected_total - upcoming.amount_due)}
      />
      <div id="cost">
        {pro ? (
          <Switch
            label="Spend cap"
            help={
              capped
                ? 'On. Use above the plan stops instead of being charged. Compute and add-ons are still charged.'
                : 'Off. Use above the plan is charged. Turn it on to stop at the included amounts instead.'
            }
            checked={capped}
            disabled={reason !== undefined || change.isPending}
            onChange={(on) => change.mutate({ slug, tier: on ? 'tier_pro' : 'tier_payg' })}
          />
        ) : (
          <>
            <b className="med">Spend cap</b>
            <p className="t12 muted">
              {subscription.plan.id === 'free'
                ? 'The Free plan is never charged; use above it stops.'
                : 'Only the Pro plan has one. Use above this plan is charged.'}
            </p>
          </>
        )}
        {pro && reason && <p className="t12 muted">{reason}</p>}
      </div>
    </div>
  )
}

const howPaid = (type: 'card' | 'invoice' | 'none') =>
  ({ card: 'Paid by card', invoice: 'Paid by invoice', none: 'No payment method yet' })[type]
