import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { extensionsQuery, foreignQuery } from '../../../../features/database/wrappers/queries.ts'
import { WrappersPage } from '../../../../features/database/wrappers/WrappersPage.tsx'
import { searchTexts } from '../../../../session/search-texts.ts'

export const Route = createFileRoute('/_app/project/$ref/database/wrappers')({
  staticData: { feature: 'integrations:wrappers', title: 'Wrappers' },
  validateSearch: (search: Record<string, unknown>) => searchTexts(search, ['q']),
  loader: ({ params: { ref } }) => {
    void queryClient.prefetchQuery(foreignQuery(ref))
    void queryClient.prefetchQuery(extensionsQuery(ref))
  },
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  const { q = '' } = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <WrappersPage
      projectRef={ref}
      search={q}
      onSearch={(next) => void navigate({ search: searchTexts({ q: next }, ['q']), replace: true })}
    />
  )
}
