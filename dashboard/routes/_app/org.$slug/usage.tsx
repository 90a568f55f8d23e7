import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../api/client.ts'
import { dailyQuery, usageQuery } from '../../../modules/usage/usage-queries.ts'
import { UsagePage } from '../../../features/billing/usage/UsagePage.tsx'
import { textParams } from '../../../session/search-params.ts'

const readSearch = textParams('cycle', 'project')

export const Route = createFileRoute('/_app/org/$slug/usage')({
  staticData: { feature: 'billing:all', title: 'Usage' },
  validateSearch: readSearch,
  loaderDeps: ({ search: { cycle, project } }) => ({ cycle, project }),
  loader: async ({ params: { slug }, deps }) => {
    // What fails here is shown on the page, with a way to try again.
    const asked = { slug, ...deps }
    await Promise.all([
      queryClient.prefetchQuery(usageQuery(asked)),
      queryClient.prefetchQuery(dailyQuery(asked)),
    ])
  },
  component: Page,
})

function Page() {
  const { slug } = Route.useParams()
  const { cycle, project } = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <UsagePage
      key={slug}
      slug={slug}
      choice={{ cycle, project }}
      onChoice={(next) =>
        void navigate({
          search: {
            ...(next.cycle !== undefined && { cycle: next.cycle }),
            ...(next.project !== undefined && { project: next.project }),
          },
          resetScroll: false,
        })
      }
    />
  )
}
