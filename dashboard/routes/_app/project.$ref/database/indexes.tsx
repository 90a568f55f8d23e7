import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { indexes } from '../../../../features/database/indexes/indexes.tsx'
import { indexesQuery } from '../../../../modules/objects/lists.ts'
import { objectRoute } from '../../../../modules/objects/object-route.ts'
import { ObjectsPage } from '../../../../modules/objects/list/ObjectsPage.tsx'

export const Route = createFileRoute('/_app/project/$ref/database/indexes')({
  staticData: { title: 'Indexes' },
  ...objectRoute('schema', 'q', 'mark'),
  loader: ({ params: { ref }, deps: { schema } }) => {
    void queryClient.prefetchQuery(indexesQuery(ref, schema))
  },
  component: () => <ObjectsPage of={indexes} />,
})
