import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { roles } from '../../../../features/database/roles/roles.tsx'
import { rolesQuery, serverQuery } from '../../../../modules/objects/lists.ts'
import { objectRoute } from '../../../../modules/objects/object-route.ts'
import { ObjectsPage } from '../../../../modules/objects/list/ObjectsPage.tsx'

export const Route = createFileRoute('/_app/project/$ref/database/roles')({
  staticData: { feature: 'database:roles', title: 'Roles' },
  ...objectRoute('q', 'of'),
  loader: ({ params: { ref } }) => {
    void queryClient.prefetchQuery(rolesQuery(ref))
    void queryClient.prefetchQuery(serverQuery(ref))
  },
  component: () => <ObjectsPage of={roles} />,
})
