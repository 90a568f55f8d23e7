import { createFileRoute } from '@tanstack/react-router'
import { GeneralSettingsPage } from '../../../../features/projects/GeneralSettingsPage.tsx'
import { TransferCard } from '../../../../features/transfer/TransferCard.tsx'

export const Route = createFileRoute('/_app/project/$ref/settings/general')({
  staticData: { title: 'General settings', withoutDatabase: true },
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  const navigate = Route.useNavigate()
  return (
    <GeneralSettingsPage
      projectRef={ref}
      more={<TransferCard projectRef={ref} />}
      onDeleted={(slug) => void navigate({ to: '/org/$slug', params: { slug } })}
    />
  )
}
