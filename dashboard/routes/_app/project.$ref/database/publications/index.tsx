import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../../api/client.ts'
import { PublicationsPage } from '../../../../../features/database/publications/PublicationsPage.tsx'
import { publicationsQuery } from '../../../../../features/database/publications/queries.ts'
import { searchTexts } from '../../../../../session/search-texts.ts'

export const Route = createFileRoute('/_app/project/$ref/database/publications/')({
  staticData: { title: 'Publications' },
  validateSearch: (search: Record<string, unknown>) => searchTexts(search, ['q']),
  loader: ({ params: { ref } }) => void queryClient.prefetchQuery(publicationsQuery(ref)),
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  const { q = '' } = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <PublicationsPage
      projectRef={ref}
      search={q}
      onSearch={(next) => void navigate({ search: searchTexts({ q: next }, ['q']), replace: true })}
    />
  )
}
