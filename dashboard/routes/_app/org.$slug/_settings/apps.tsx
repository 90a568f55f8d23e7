import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { AppsPage } from '../../../../features/organizations/oauth-apps/AppsPage.tsx'
import {
  authorizedQuery,
  publishedQuery,
} from '../../../../features/organizations/oauth-apps/queries.ts'

export const Route = createFileRoute('/_app/org/$slug/_settings/apps')({
  staticData: { title: 'OAuth apps' },
  // What fails here is shown in the page, with a way to try again.
  loader: ({ params: { slug } }) =>
    Promise.all([
      queryClient.prefetchQuery(publishedQuery(slug)),
      queryClient.prefetchQuery(authorizedQuery(slug)),
    ]),
  component: Page,
})

function Page() {
  const { slug } = Route.useParams()
  return <AppsPage key={slug} slug={slug} />
}
