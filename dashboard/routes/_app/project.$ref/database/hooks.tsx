import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { webhooksStateQuery } from '../../../../features/database/webhooks/queries.ts'
import {
  readWebhookSearch,
  type WebhookSearch,
} from '../../../../features/database/webhooks/search.ts'
import { WebhooksPage } from '../../../../features/database/webhooks/WebhooksPage.tsx'
import { triggersQuery } from '../../../../modules/objects/triggers.ts'

export const Route = createFileRoute('/_app/project/$ref/database/hooks')({
  staticData: { title: 'Webhooks' },
  validateSearch: (search: Record<string, unknown>): WebhookSearch => readWebhookSearch(search),
  loaderDeps: ({ search: { schema = 'public' } }) => ({ schema }),
  loader: ({ params: { ref }, deps: { schema } }) => {
    // Shown where it is missing; it does not hold up the page.
    void queryClient.prefetchQuery(webhooksStateQuery(ref))
    void queryClient.prefetchQuery(triggersQuery(ref, schema))
  },
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <WebhooksPage
      projectRef={ref}
      search={search}
      onSearch={(next) => void navigate({ search: readWebhookSearch(next), replace: true })}
    />
  )
}
