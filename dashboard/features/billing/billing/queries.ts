import { infiniteQueryOptions } from '@tanstack/react-query'
import { billing } from '#contract/billing/billing'
import { billingCustomer } from '#contract/billing/billing-customer'
import { organizations } from '#contract/organizations/organizations'
import { profile } from '#contract/people/profile'
import type { Output } from '#contract/endpoint'
import { call, q } from '../../../api/client.ts'

export const subscriptionQuery = (slug: string) => q(billing.subscription, { slug })
export const upcomingQuery = (slug: string) => q(billing.invoiceUpcoming, { slug })
export const customerQuery = (slug: string) => q(billingCustomer.customer, { slug })
export const taxIdsQuery = (slug: string) => q(billingCustomer.taxIds, { slug })
export const paymentsQuery = (slug: string) => q(billingCustomer.payments, { slug })

type Page = Output<typeof billing.invoices>
export const invoicesQuery = (slug: string) =>
  infiniteQueryOptions({
    queryKey: [billing.invoices.name, { slug }],
    queryFn: ({ pageParam, signal }) =>
      call(billing.invoices, { slug, limit: 20, offset: pageParam }, { signal }),
    initialPageParam: 0,
    getNextPageParam: ({ pagination: { count, limit, offset } }: Page) =>
      offset + limit < count ? offset + limit : undefined,
  })

/** After anything that may have moved money or the plan. */
export const ofBilling = [
  billing.subscription,
  billing.plans,
  billing.invoices,
  billing.invoiceUpcoming,
  billing.overdue,
  billingCustomer.customer,
  organizations.list,
  profile.permissions,
]
