import { createFileRoute } from '@tanstack/react-router'
import { projects } from '#contract/projects/projects'
import { q, queryClient } from '../../../api/client.ts'
import {
  activityQuery,
  overviewQuery,
  servicesQuery,
  usageQuery,
} from '../../../features/projects/project-home/queries.ts'
import { ProjectHomePage } from '../../../features/projects/project-home/ProjectHomePage.tsx'
import { rangeOf } from '../../../session/organization/usage-range.ts'
import { isUp } from '../../../session/project/project-status.ts'
import { loadProject } from '../../../session/project/project.ts'
import { ProjectMenu } from '../../../features/projects/projects/ProjectMenu.tsx'
import { textParams } from '../../../session/search-params.ts'

const readSearch = textParams('range')

export const Route = createFileRoute('/_app/project/$ref/')({
  staticData: { title: 'Home' },
  validateSearch: readSearch,
  loaderDeps: ({ search }) => ({ range: rangeOf(search.range) }),
  // Nothing here holds the page up: each card shows that it waits. A database that is away is not asked.
  loader: async ({ params: { ref }, deps: { range } }) => {
    if (!isUp((await loadProject(ref, { preload: true })).status)) return
    void queryClient.prefetchQuery(servicesQuery(ref))
    void queryClient.prefetchQuery(usageQuery(ref, range))
    void queryClient.prefetchQuery(activityQuery(ref))
    void queryClient.prefetchQuery(overviewQuery(ref))
    void queryClient.prefetchQuery(q(projects.settings, { ref }))
  },
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  const navigate = Route.useNavigate()
  return (
    <ProjectHomePage
      projectRef={ref}
      range={rangeOf(Route.useSearch().range)}
      onRange={(range) =>
        void navigate({ search: (before) => ({ ...before, range }), replace: true })
      }
      menu={(project) => <ProjectMenu project={project} />}
    />
  )
}
