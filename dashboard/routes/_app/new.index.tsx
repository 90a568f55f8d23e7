import { createFileRoute, useRouter } from '@tanstack/react-router'
import { NewOrganizationPage } from '../../features/organizations/organizations/NewOrganizationPage.tsx'
import { landing } from '../../session/identity/return-to.ts'
import { tierOfWanted, wantedPlanOf } from '../../session/organization/wanted-plan.ts'

export const Route = createFileRoute('/_app/new/')({
  staticData: { feature: 'organizations:create', title: 'New organization' },
  validateSearch: wantedPlanOf,
  component: Page,
})

function Page() {
  const { plan } = Route.useSearch()
  const router = useRouter()
  return (
    <NewOrganizationPage
      startTier={plan && tierOfWanted(plan)}
      onCancel={() => void router.navigate({ to: landing })}
    />
  )
}
