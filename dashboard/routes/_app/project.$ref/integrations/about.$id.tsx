import { createFileRoute, notFound } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { OverviewPage } from '../../../../features/integrations/hub/OverviewPage.tsx'
import { integrations } from '../../../../modules/integrations/catalogue.ts'
import { extensionsQuery } from '../../../../modules/objects/lists.ts'

export const Route = createFileRoute('/_app/project/$ref/integrations/about/$id')({
  staticData: { title: 'Integration' },
  loader: ({ params: { ref, id } }) => {
    const found = integrations.find((one) => one.id === id)
    if (!found) throw notFound()
    void queryClient.prefetchQuery(extensionsQuery(ref))
    return found
  },
  component: Page,
})

function Page() {
  return <OverviewPage projectRef={Route.useParams().ref} of={Route.useLoaderData()} />
}
