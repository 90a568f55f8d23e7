import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../api/client.ts'
import { OwnAppsPage } from '../../../features/organizations/oauth-apps/OwnAppsPage.tsx'
import { ownQuery } from '../../../features/organizations/oauth-apps/queries.ts'

export const Route = createFileRoute('/_app/account/apps')({
  staticData: { title: 'Authorized apps' },
  // What fails here is shown in the page, with a way to try again.
  loader: () => queryClient.prefetchQuery(ownQuery),
  component: OwnAppsPage,
})
