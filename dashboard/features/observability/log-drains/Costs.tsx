import { Link } from '@tanstack/react-router'
import { addOnVariant, logDrainRates } from '#contract/billing/add-ons'
import { formatRate } from '#contract/billing/money'
import type { PlanId } from '#contract/billing/plans'
import { Card } from '../../../ui/Card.tsx'

const month = formatRate(addOnVariant('log_drain_default')?.rate ?? 0)
const million = formatRate(logDrainRates.perMillionEvents)
const gigabyte = formatRate(logDrainRates.perGb)

/** Before somebody adds a drain. */
export const priceNote = (plan: PlanId, ofAudit: boolean): string =>
  plan === 'enterprise'
    ? 'Your contract says what a log drain costs.'
    : `${month} a month for as long as it is switched on${ofAudit ? '' : `, plus ${million} per started million entries and ${gigabyte} per GB`}. It is charged with the next invoice.`

/** What drains cost, all of it. */
export function Costs({ plan, slug, ofAudit }: { plan: PlanId; slug: string; ofAudit: boolean }) {
  if (plan === 'enterprise')
    return (
      <Card title="Costs">
        <p className="muted">{priceNote(plan, ofAudit)}</p>
      </Card>
    )
  return (
    <Card title="Costs">
      <div className="form-stack muted">
        <p>
          <b>{month} per drain per month</b>, for the time in which it is switched on. A drain that
          is switched off costs nothing.
        </p>
        {ofAudit ? (
          <p>Entries of the audit log are not charged.</p>
        ) : (
          <p>
            <b>{million} per started million entries</b> that all drains of the organization
            deliver, and <b>{gigabyte} per GB</b> that they send. The spend cap does not cover log
            drains.
          </p>
        )}
        <p>
          <Link className="link" to="/org/$slug/usage" params={{ slug }}>
            See usage
          </Link>
        </p>
      </div>
    </Card>
  )
}
