import { createFileRoute, Link } from '@tanstack/react-router'
import { api } from '#contract/api'
import { q, queryClient } from '../../../../api/client.ts'
import { isUp } from '../../../../session/project/project-status.ts'
import { loadProject } from '../../../../session/project/project.ts'
import { ApiDocsPage } from '../../../../features/data-api/api-docs/ApiDocsPage.tsx'
import { functionsQuery, tablesQuery } from '../../../../features/data-api/api-docs/queries.ts'
import {
  resourceOf,
  searchOf,
  viewOf,
  type ViewSearch,
} from '../../../../features/data-api/api-docs/resource.ts'

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

export const Route = createFileRoute('/_app/project/$ref/api/')({
  staticData: { title: 'API docs' },
  validateSearch: (search: Record<string, unknown>): ViewSearch => {
    const [resource, lang, key] = ['resource', 'lang', 'key'].map((name) => textOf(search[name]))
    return { ...(resource ? { resource } : {}), ...(lang ? { lang } : {}), ...(key ? { key } : {}) }
  },
  loader: async ({ params: { ref } }) => {
    if (!isUp((await loadProject(ref, { preload: true })).status)) return
    await Promise.all([
      queryClient.prefetchQuery(q(api.projects.settings, { ref })),
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
