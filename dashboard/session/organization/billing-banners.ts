import type { Organization } from '#contract/organizations/organizations'
import { allows, type Permission } from '#contract/permissions'
import { monthNames } from '../../ui/text/number.ts'

type Subject = Pick<
  Organization,
  | 'id'
  | 'slug'
  | 'name'
  | 'billing_partner'
  | 'organization_missing_address'
  | 'restriction_status'
  | 'restriction_data'
  | 'restriction_cause'
>
type Overdue = { organization_id: number; overdue_invoice_count: number }

export type BillingBanner = {
  id: string
  variant: 'danger' | 'warning'
  /** Word for word from the requirements (§8). */
  title: string
  text: string
  /** Where View Details leads: the usage page, the billing page, or a part of it. */
  to: string
  hash?: 'invoices' | 'address'
}

type Facts = {
  organizations: readonly Subject[]
  overdue: readonly Overdue[]
  permissions: readonly Permission[]
  /** The organization of the page; undefined above all of them. */
  slug: string | undefined
}

/**
 * What is wrong with who pays, for people who may do something about it (requirements §6): invoices first, then the
 * restriction that follows from them, then what is missing.
 */
export function billingBanners({
  organizations,
  overdue,
  permissions,
  slug,
}: Facts): BillingBanner[] {
  const mine = organizations.filter((organization) => mayPay(permissions, organization.slug))
  const current = mine.find((organization) => organization.slug === slug)
  const owing = mine.filter(({ id }) =>
    overdue.some((one) => one.organization_id === id && one.overdue_invoice_count > 0),
  )
  const other = owing.find((organization) => organization.slug !== slug)
  return [
    ...(current && owing.includes(current) ? [outstanding(current)] : []),
    ...(other ? [slug === undefined ? outstanding(other) : outstandingElsewhere(other)] : []),
    ...(current ? restriction(current) : []),
    ...(current?.organization_missing_address && current.billing_partner === null
      ? [missingAddress(current)]
      : []),
  ]
}

const mayPay = (permissions: readonly Permission[], organizationSlug: string) =>
  allows(permissions, 'billing:Write', 'stripe.subscriptions', { organizationSlug })

const billing = ({ slug }: { slug: string }) => `/org/${slug}/billing`

const outstanding = (organization: Subject): BillingBanner => ({
  id: `outstanding-${organization.slug}`,
  variant: 'danger',
  title: 'Outstanding Invoices',
  text: `${organization.name} has invoices that are overdue. Pay them to keep its projects running.`,
  to: billing(organization),
  hash: 'invoices',
})

const outstandingElsewhere = (organization: Subject): BillingBanner => ({
  ...outstanding(organization),
  title: 'Outstanding Invoices in other Organization',
})

function restriction(organization: Subject): BillingBanner[] {
  const { slug, name, restriction_status: status, restriction_data: data } = organization
  const isQuota = organization.restriction_cause === 'quota'
  const common = {
    id: `restriction-${slug}`,
    to: isQuota ? `/org/${slug}/usage` : billing(organization),
  }
  const remedy = {
    quota: 'to upgrade or to use less',
    overdue: 'to pay its overdue invoices',
    operator: 'to contact support',
  }[organization.restriction_cause ?? 'overdue']
  switch (status) {
    case null:
      return []
    case 'grace_period':
      return [
        {
          ...common,
          variant: 'warning',
          title: 'Organization plan has exceeded its quota',
          text: data
            ? `${name} has until ${dayOf(data.grace_period_end)} ${remedy}.`
            : `${name} has ${remedy}.`,
        },
      ]
    case 'grace_period_over':
      return [
        {
          ...common,
          variant: 'warning',
          title: 'Grace period is over',
          text: `Services of ${name} may be restricted at any time. ${name} has ${remedy}.`,
        },
      ]
    case 'restricted':
      return [
        {
          ...common,
          variant: 'danger',
          title: 'Services Restricted',
          text: isQuota
            ? `${name} has used more than its plan includes. Data of its projects can be read, exported and deleted, but not added to or changed. Upgrade, or use less.`
            : `The projects of ${name} can be read but not written to. ${name} has ${remedy}.`,
        },
      ]
  }
}

const missingAddress = ({ slug, name }: Subject): BillingBanner => ({
  id: `address-${slug}`,
  variant: 'warning',
  title: 'Missing Billing Information',
  text: `Add a billing address to ${name}, and a tax ID if it is a registered business.`,
  to: billing({ slug }),
  hash: 'address',
})

/** '02 Dec, 2025': DD MMM, YYYY of the requirements (§8), in the reader's zone. */
export function dayOf(instant: string): string {
  const date = new Date(instant)
  const day = String(date.getDate()).padStart(2, '0')
  return `${day} ${monthNames[date.getMonth()]}, ${date.getFullYear()}`
}
