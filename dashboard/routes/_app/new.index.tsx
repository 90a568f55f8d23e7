import { createFileRoute, useRouter } from '@tanstack/react-router'
import { NewOrganizationPage } from '../../features/organizations/organizations/NewOrganizationPage.tsx'
import { landing } from '../../session/identity/return-to.ts'
import { tierOfRequested, requestedPlanOf } from '../../session/organization/requested-plan.ts'

export const Route = createFileRoute('/_app/new/')({
  staticData: { feature: 'organizations:create', title: 'New organization' },
  validateSearch: requestedPlanOf,
  component: Page,
})

function Page() {
  const { plan } = Route.useSearch()
  const router = useRouter()
  return (
    <NewOrganizationPage
      startTier={plan && tierOfRequested(plan)}
      onCancel={() => void router.navigate({ to: landing })}
    />
  )
}
