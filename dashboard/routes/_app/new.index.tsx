import { createFileRoute, useRouter } from '@tanstack/react-router'
import { NewOrganizationPage } from '../../features/organizations/NewOrganizationPage.tsx'
import { landing } from '../../session/return-to.ts'

export const Route = createFileRoute('/_app/new/')({
  staticData: { title: 'New organization' },
  component: Page,
})

function Page() {
  const router = useRouter()
  return (
    <NewOrganizationPage
      startTier={undefined}
      onCancel={() => void router.navigate({ to: landing })}
    />
  )
}
