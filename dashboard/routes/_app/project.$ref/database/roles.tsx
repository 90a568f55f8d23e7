import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { rolesQuery, serverQuery } from '../../../../features/database/roles/queries.ts'
import { RolesPage } from '../../../../features/database/roles/RolesPage.tsx'
import { searchTexts } from '../../../../session/search-texts.ts'

export const Route = createFileRoute('/_app/project/$ref/database/roles')({
  staticData: { feature: 'database:roles', title: 'Roles' },
  validateSearch: (search: Record<string, unknown>) => searchTexts(search, ['q', 'of']),
  loader: ({ params: { ref } }) => {
    void queryClient.prefetchQuery(rolesQuery(ref))
    void queryClient.prefetchQuery(serverQuery(ref))
  },
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  const navigate = Route.useNavigate()
  return (
    <RolesPage
      projectRef={ref}
      filter={Route.useSearch()}
      onFilter={(next) => void navigate({ search: searchTexts(next, ['q', 'of']), replace: true })}
    />
  )
}
