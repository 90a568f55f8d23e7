import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { webhooksStateQuery } from '../../../../features/integrations/webhooks/queries.ts'
import { WebhooksPage } from '../../../../features/integrations/webhooks/WebhooksPage.tsx'
import { triggersQuery } from '../../../../modules/objects/lists.ts'
import { objectRoute } from '../../../../modules/objects/object-route.ts'

export const Route = createFileRoute('/_app/project/$ref/integrations/webhooks')({
  staticData: { title: 'Webhooks' },
  ...objectRoute('schema', 'find', 'calls', 'delivery'),
  loader: ({ params: { ref }, deps: { schema } }) => {
    void queryClient.prefetchQuery(webhooksStateQuery(ref))
    void queryClient.prefetchQuery(triggersQuery(ref, schema))
  },
  component: () => <WebhooksPage projectRef={Route.useParams().ref} />,
})
