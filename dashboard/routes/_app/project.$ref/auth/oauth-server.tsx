import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { authConfigQuery } from '../../../../features/auth/auth-config/queries.ts'
import { ClientsCard } from '../../../../features/auth/auth-oauth-clients/ClientsCard.tsx'
import { SettingsPage } from '../../../../features/auth/auth-config/SettingsPage.tsx'

export const Route = createFileRoute('/_app/project/$ref/auth/oauth-server')({
  staticData: { title: 'OAuth server', withoutDatabase: true },
  loader: ({ params: { ref } }) => queryClient.ensureQueryData(authConfigQuery(ref)),
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  return (
    <SettingsPage projectRef={ref} page="oauthServer">
      <ClientsCard projectRef={ref} />
    </SettingsPage>
  )
}
