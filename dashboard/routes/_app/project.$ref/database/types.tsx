import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { types } from '../../../../features/database/database-types/types.tsx'
import { typesQuery } from '../../../../modules/objects/lists.ts'
import { objectRoute } from '../../../../modules/objects/object-route.ts'
import { ObjectsPage } from '../../../../modules/objects/list/ObjectsPage.tsx'

export const Route = createFileRoute('/_app/project/$ref/database/types')({
  staticData: { title: 'Types' },
  ...objectRoute('schema', 'find'),
  loader: ({ params: { ref }, deps: { schema } }) => {
    void queryClient.prefetchQuery(typesQuery(ref, schema))
  },
  component: () => <ObjectsPage of={types} />,
})
