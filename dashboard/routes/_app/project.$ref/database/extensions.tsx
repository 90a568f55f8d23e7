import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { ExtensionsPage } from '../../../../features/database/extensions/ExtensionsPage.tsx'
import { extensionsQuery } from '../../../../features/database/extensions/queries.ts'
import { searchTexts } from '../../../../session/search-texts.ts'

export const Route = createFileRoute('/_app/project/$ref/database/extensions')({
  staticData: { title: 'Extensions' },
  validateSearch: (search: Record<string, unknown>) => searchTexts(search, ['q', 'tag', 'state']),
  loader: ({ params: { ref } }) => void queryClient.prefetchQuery(extensionsQuery(ref)),
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  const navigate = Route.useNavigate()
  return (
    <ExtensionsPage
      projectRef={ref}
      filter={Route.useSearch()}
      onFilter={(next) =>
        void navigate({ search: searchTexts(next, ['q', 'tag', 'state']), replace: true })
      }
    />
  )
}
