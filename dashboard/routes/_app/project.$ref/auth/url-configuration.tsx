import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { authConfigQuery } from '../../../../features/auth/auth-config/queries.ts'
import { SettingsPage } from '../../../../features/auth/auth-config/SettingsPage.tsx'

export const Route = createFileRoute('/_app/project/$ref/auth/url-configuration')({
  staticData: { title: 'URL configuration', withoutDatabase: true },
  loader: ({ params: { ref } }) => queryClient.ensureQueryData(authConfigQuery(ref)),
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  return <SettingsPage projectRef={ref} page="addresses" />
}
