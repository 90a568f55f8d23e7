import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { functions } from '../../../../features/database/database-functions/functions.tsx'
import { functionsQuery } from '../../../../modules/objects/lists.ts'
import { objectRoute } from '../../../../modules/objects/object-route.ts'
import { ObjectsPage } from '../../../../modules/objects/list/ObjectsPage.tsx'

export const Route = createFileRoute('/_app/project/$ref/database/functions')({
  staticData: { title: 'Functions' },
  ...objectRoute('schema', 'find'),
  loader: ({ params: { ref }, deps: { schema } }) => {
    void queryClient.prefetchQuery(functionsQuery(ref, schema))
  },
  component: () => <ObjectsPage of={functions} />,
})
