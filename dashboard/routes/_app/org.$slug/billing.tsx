import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../api/client.ts'
import { BillingPage } from '../../../features/billing/billing/BillingPage.tsx'
import {
  customerQuery,
  invoicesQuery,
  paymentsQuery,
  subscriptionQuery,
  taxIdsQuery,
  upcomingQuery,
} from '../../../features/billing/billing/queries.ts'
import { requestedPlanOf } from '../../../session/organization/requested-plan.ts'

export const Route = createFileRoute('/_app/org/$slug/billing')({
  staticData: { feature: 'billing:all', title: 'Billing' },
  // With a plan the panel that changes to it is open.
  validateSearch: requestedPlanOf,
  loader: async ({ params: { slug } }) => {
    // What fails here is shown in its own part of the page, with a way to try again.
    const invoices = queryClient.prefetchInfiniteQuery(invoicesQuery(slug))
    await Promise.all([
      queryClient.ensureQueryData(subscriptionQuery(slug)),
      queryClient.ensureQueryData(upcomingQuery(slug)),
      queryClient.ensureQueryData(customerQuery(slug)),
      queryClient.ensureQueryData(taxIdsQuery(slug)),
      queryClient.ensureQueryData(paymentsQuery(slug)),
      invoices,
    ])
  },
  component: Page,
})

function Page() {
  const { slug } = Route.useParams()
  const { plan } = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <BillingPage
      key={slug}
      slug={slug}
      requested={plan}
      onRequested={(next) =>
        void navigate({
          search: next ? { plan: next } : {},
          hash: true,
          replace: next === undefined,
          // The page stays where it is below the panel.
          resetScroll: false,
          hashScrollIntoView: false,
        })
      }
    />
  )
}
