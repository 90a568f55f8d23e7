import { createFileRoute, Link } from '@tanstack/react-router'
import { projects } from '#contract/projects/projects'
import { q, queryClient } from '../../../../api/client.ts'
import { isUp } from '../../../../session/project/project-status.ts'
import { loadProject } from '../../../../session/project/project.ts'
import { ApiDocsPage } from '../../../../features/data-api/api-docs/ApiDocsPage.tsx'
import { functionsQuery, tablesQuery } from '../../../../features/data-api/api-docs/queries.ts'
import { resourceOf, searchOf, viewOf } from '../../../../features/data-api/api-docs/resource.ts'
import { textParams } from '../../../../session/search-params.ts'

const readSearch = textParams('resource', 'lang', 'key')

export const Route = createFileRoute('/_app/project/$ref/api/')({
  staticData: { title: 'API docs' },
  validateSearch: readSearch,
  loader: async ({ params: { ref } }) => {
    if (!isUp((await loadProject(ref, { preload: true })).status)) return
    await Promise.all([
      queryClient.prefetchQuery(q(projects.settings, { ref })),
      queryClient.prefetchInfiniteQuery(tablesQuery(ref, '')),
      queryClient.prefetchInfiniteQuery(functionsQuery(ref, '')),
    ])
  },
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  const view = viewOf(Route.useSearch())
  const navigate = Route.useNavigate()
  return (
    <ApiDocsPage
      projectRef={ref}
      view={view}
      onView={(next) => void navigate({ search: searchOf(next), replace: true })}
      link={({ name, to }) => (
        <Link
          key={to}
          from={Route.fullPath}
          search={searchOf({ ...view, resource: resourceOf(to) })}
          activeOptions={{ exact: true, includeSearch: true, explicitUndefined: true }}
        >
          <span className="ell">{name}</span>
        </Link>
      )}
    />
  )
}
