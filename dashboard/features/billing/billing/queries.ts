import { infiniteQueryOptions } from '@tanstack/react-query'
import { api } from '#contract/api'
import type { Output } from '#contract/endpoint'
import { call, forget, q } from '../../../api/client.ts'

export const subscriptionQuery = (slug: string) => q(api.billing.subscription, { slug })
export const upcomingQuery = (slug: string) => q(api.billing.invoiceUpcoming, { slug })
export const customerQuery = (slug: string) => q(api.billingCustomer.customer, { slug })
export const taxIdsQuery = (slug: string) => q(api.billingCustomer.taxIds, { slug })
export const paymentsQuery = (slug: string) => q(api.billingCustomer.payments, { slug })

type Page = Output<typeof api.billing.invoices>
export const invoicesQuery = (slug: string) =>
  infiniteQueryOptions({
    queryKey: [api.billing.invoices.name, { slug }],
    queryFn: ({ pageParam, signal }) =>
      call(api.billing.invoices, { slug, limit: 20, offset: pageParam }, { signal }),
    initialPageParam: 0,
    getNextPageParam: ({ pagination: { count, limit, offset } }: Page) =>
      offset + limit < count ? offset + limit : undefined,
  })

/** After anything that may have moved money or the plan. */
export const forgetBilling = () =>
  forget(
    api.billing.subscription,
    api.billing.plans,
    api.billing.invoices,
    api.billing.invoiceUpcoming,
    api.billing.overdue,
    api.billingCustomer.customer,
    api.organizations.list,
    api.profile.permissions,
  )
