import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../../api/client.ts'
import { OverviewPage } from '../../../../../features/functions/functions/OverviewPage.tsx'
import { usageQuery } from '../../../../../features/functions/functions/queries.ts'
import { rangeOf, shortRangeChoices } from '../../../../../session/organization/usage-range.ts'
import { textParams } from '../../../../../session/search-params.ts'

const readSearch = textParams('range')

export const Route = createFileRoute('/_app/project/$ref/functions/$functionSlug/')({
  staticData: { title: 'Overview', withoutDatabase: true },
  validateSearch: readSearch,
  loaderDeps: ({ search }) => ({ range: rangeOf(search.range, shortRangeChoices) }),
  loader: ({ params: { ref, functionSlug }, deps: { range } }) => {
    void queryClient.prefetchQuery(usageQuery(ref, functionSlug, range))
  },
  component: Page,
})

function Page() {
  const { ref, functionSlug } = Route.useParams()
  const navigate = Route.useNavigate()
  return (
    <OverviewPage
      projectRef={ref}
      slug={functionSlug}
      range={rangeOf(Route.useSearch().range, shortRangeChoices)}
      onRange={(range) => void navigate({ search: { range }, replace: true })}
    />
  )
}
