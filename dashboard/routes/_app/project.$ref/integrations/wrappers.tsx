import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { wrappers } from '../../../../features/database/wrappers/wrappers.tsx'
import { extensionsQuery, foreignQuery } from '../../../../modules/objects/lists.ts'
import { objectRoute } from '../../../../modules/objects/object-route.ts'
import { ObjectsPage } from '../../../../modules/objects/list/ObjectsPage.tsx'

export const Route = createFileRoute('/_app/project/$ref/integrations/wrappers')({
  staticData: { feature: 'integrations:wrappers', title: 'Wrappers' },
  ...objectRoute('q'),
  loader: ({ params: { ref } }) => {
    void queryClient.prefetchQuery(foreignQuery(ref))
    void queryClient.prefetchQuery(extensionsQuery(ref))
  },
  component: () => <ObjectsPage of={wrappers} />,
})
