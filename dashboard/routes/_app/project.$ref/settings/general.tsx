import { createFileRoute } from '@tanstack/react-router'
import { listeners } from '#contract/operations/listeners'
import { q, queryClient } from '../../../../api/client.ts'
import { GeneralSettingsPage } from '../../../../features/projects/projects/GeneralSettingsPage.tsx'
import { TransferCard } from '../../../../features/organizations/transfer/TransferCard.tsx'

export const Route = createFileRoute('/_app/project/$ref/settings/general')({
  staticData: { title: 'General settings', withoutDatabase: true },
  // Whether there is a card for the port decides where all that is below it stands.
  loader: ({ params: { ref } }) => queryClient.prefetchQuery(q(listeners.get, { ref })),
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  const navigate = Route.useNavigate()
  return (
    <GeneralSettingsPage
      projectRef={ref}
      more={<TransferCard projectRef={ref} />}
      onDeleted={(slug) => navigate({ to: '/org/$slug', params: { slug } })}
    />
  )
}
