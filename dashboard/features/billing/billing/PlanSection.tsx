import { useSuspenseQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check, CircleMinus, Info } from 'lucide-react'
import { useState } from 'react'
import { billing } from '#contract/billing/billing'
import { planNames, planRank, planOfTier, type SelfServiceTier } from '#contract/billing/plans'
import { cancellationReasons } from '#contract/billing/billing'
import { formatCents } from '#contract/billing/money'
import { useDenials } from '../../../session/organization/permissions.ts'
import {
  tierOfRequested,
  type RequestedPlan,
} from '../../../session/organization/requested-plan.ts'
import { FormPanel } from '../../../ui/floats/FormPanel.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { call, q, useCall } from '../../../api/client.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { TextArea } from '../../../ui/controls/TextField.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { InvoiceLines, dayOf } from './InvoicesSection.tsx'
import { ofBilling, subscriptionQuery } from './queries.ts'
import { PlanTable } from './PlanTable.tsx'

type Props = {
  slug: string
  /** The plan whose panel is open. */
  requested: RequestedPlan | undefined
  onRequested: (plan: RequestedPlan | undefined) => void
}

/** The plans side by side, and the way from one to another. */
export function PlanSection({ slug, requested, onRequested }: Props) {
  const { data: subscription } = useSuspenseQuery(subscriptionQuery(slug))
  const reason = useDenials({ organizationSlug: slug })(billing.changeSubscription)
  const { plan, scheduled_plan_change: scheduled } = subscription
  // A link can ask for what is there already, or what the reader may not do: the table says so.
  const open =
    requested !== undefined && requested !== plan.id && plan.id !== 'enterprise' && !reason
  return (
    <section id="plan">
      <h2 className="sh">Compare plans</h2>
      <PlanTable
        current={plan.id}
        badge={(id) => {
          if (id === plan.id) return <Badge tone="solid">Current</Badge>
          return scheduled?.target_plan === id && <Badge tone="info">Planned</Badge>
        }}
        action={(id) => {
          if (id === plan.id) {
            return (
              <Button size="form" disabled>
                Your plan
              </Button>
            )
          }
          if (id === 'enterprise' || plan.id === 'enterprise') {
            return (
              <Link
                to="/support/new"
                search={{ category: 'Sales', organization: slug, subject: `Plan of ${slug}` }}
                className="btn f"
              >
                Contact us
              </Link>
            )
          }
          const up = planRank(id) > planRank(plan.id)
          const next = planRank(id) === planRank(plan.id) + 1
          return (
            <Button
              size="form"
              variant={next ? 'primary' : undefined}
              disabledReason={
                reason ?? (scheduled?.target_plan === id && 'This change is already scheduled')
              }
              onClick={() => onRequested(id)}
            >
              {up ? `Upgrade to ${planNames[id]}` : `Move to ${planNames[id]}`}
            </Button>
          )
        }}
      />
      {open && (
        <ChangePlanPanel
          slug={slug}
          tier={tierOfRequested(requested)}
          onClose={() => onRequested(undefined)}
        />
      )}
    </section>
  )
}

type ChangePlanPanelProps = { slug: string; tier: SelfServiceTier; onClose: () => void }
type Reason = (typeof cancellationReasons)[number]
const marks = { gain: Check, loss: CircleMinus, notice: Info }
/** What the marks say to who does not see them. */
const heard = { gain: 'Gained:', loss: 'Lost:', notice: 'Note:' }

/** What a change of plan costs and brings, before it is made. Who leaves for a smaller plan may say why. */
function ChangePlanPanel({ slug, tier, onClose }: ChangePlanPanelProps) {
  const name = planNames[planOfTier[tier]]
  const preview = useQuery({
    ...q(billing.previewChange, { slug, tier }),
    staleTime: 0,
    gcTime: 0,
  })
  const [reasons, setReasons] = useState<readonly Reason[]>([])
  const [message, setMessage] = useState('')
  const change = useCall(billing.changeSubscription, {
    changes: ofBilling,
    onSuccess: async () => {
      if (leaving && (reasons.length > 0 || message.trim())) await sendReasons()
      toast.success(now ? `The organization is on ${name} now` : `The move to ${name} is planned`)
      onClose()
    },
  })
  const data = preview.data
  const leaving = data?.change_type === 'downgrade'
  const now = data?.effective_at === 'now'

  /** The change is made: that its reasons could not be kept is not the person's problem. */
  async function sendReasons() {
    const words = { organization_slug: slug, reasons: [...reasons], message }
    await call(billing.downgradeFeedback, words).catch(() =>
      toast.info('The plan was changed, but your feedback could not be sent'),
    )
  }

  return (
    <FormPanel
      title={`Change to ${name}`}
      size="large"
      verb={leaving ? `Move to ${name}` : `Upgrade to ${name}`}
      error={change.error?.message}
      reason={data ? (data.blocked ?? undefined) : 'Calculating the price'}
      pending={change.isPending}
      onSubmit={() => data && !data.blocked && change.mutate({ slug, tier })}
      onClose={onClose}
    >
      {preview.error ? (
        <ErrorNote what="the price" error={preview.error} onRetry={() => void preview.refetch()} />
      ) : !data ? (
        <div className="change-plan">
          <Skeleton width="50%" />
          <Skeleton width="90%" />
          <Skeleton width="80%" />
        </div>
      ) : (
        <div className="change-plan">
          {data.blocked && <Alert variant="warning" title={data.blocked} />}
          <p>
            {now ? 'Takes effect at once.' : `Takes effect on ${dayOf(data.at)}.`}{' '}
            {data.monthly_price !== null &&
              `From then on ${formatCents(data.monthly_price)} a month, usage apart.`}
          </p>
          {now && (
            <div className="card">
              <InvoiceLines lines={data.lines} label="Charged now" credit={data.credit_applied} />
              <table className="tbl dense mini total" aria-label="Total">
                <tbody>
                  <tr>
                    <td className="med">Due now</td>
                    <td className="num med">{formatCents(data.amount_due)}</td>
                  </tr>
                </tbody>
              </table>
            </div>
          )}
          {data.consequences.length > 0 && (
            <section>
              <h3>What changes</h3>
              <ul className="consequences">
                {data.consequences.map(({ kind, text }) => (
                  <li key={text} data-kind={kind}>
                    <Icon of={marks[kind]} size="s" />
                    <span className="sr">{heard[kind]}</span>
                    {text}
                  </li>
                ))}
              </ul>
            </section>
          )}
          {leaving && (
            <fieldset className="reasons">
              <legend>Why are you leaving this plan? (optional)</legend>
              {cancellationReasons.map((reason) => (
                <Checkbox
                  key={reason}
                  label={reason}
                  checked={reasons.includes(reason)}
                  onChange={(event) =>
                    setReasons(
                      event.target.checked
                        ? [...reasons, reason]
                        : reasons.filter((other) => other !== reason),
                    )
                  }
                />
              ))}
              <TextArea
                label="Anything else?"
                maxLength={5000}
                value={message}
                onChange={(event) => setMessage(event.target.value)}
              />
            </fieldset>
          )}
        </div>
      )}
    </FormPanel>
  )
}
