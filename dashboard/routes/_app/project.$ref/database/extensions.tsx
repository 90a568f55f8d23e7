import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { extensions } from '../../../../features/database/extensions/extensions.tsx'
import { extensionsQuery } from '../../../../modules/objects/lists.ts'
import { objectRoute } from '../../../../modules/objects/object-route.ts'
import { ObjectsPage } from '../../../../modules/objects/list/ObjectsPage.tsx'

export const Route = createFileRoute('/_app/project/$ref/database/extensions')({
  staticData: { title: 'Extensions' },
  ...objectRoute('q', 'tag', 'state'),
  loader: ({ params: { ref } }) => {
    void queryClient.prefetchQuery(extensionsQuery(ref))
  },
  component: () => <ObjectsPage of={extensions} />,
})
