import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../../api/client.ts'
import { publications } from '../../../../../features/database/publications/publications.tsx'
import { publicationsQuery } from '../../../../../modules/objects/lists.ts'
import { objectRoute } from '../../../../../modules/objects/object-route.ts'
import { ObjectsPage } from '../../../../../modules/objects/list/ObjectsPage.tsx'

export const Route = createFileRoute('/_app/project/$ref/database/publications/')({
  staticData: { title: 'Publications' },
  ...objectRoute('q'),
  loader: ({ params: { ref } }) => {
    void queryClient.prefetchQuery(publicationsQuery(ref))
  },
  component: () => <ObjectsPage of={publications} />,
})
