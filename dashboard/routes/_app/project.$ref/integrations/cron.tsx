import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { CronPage } from '../../../../features/integrations/cron/CronPage.tsx'
import { cronQuery } from '../../../../features/integrations/cron/queries.ts'
import { textParams } from '../../../../session/search-params.ts'

const readSearch = textParams('q')

export const Route = createFileRoute('/_app/project/$ref/integrations/cron')({
  staticData: { title: 'Cron' },
  validateSearch: readSearch,
  loader: ({ params: { ref } }) => {
    void queryClient.prefetchQuery(cronQuery(ref))
  },
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  const { q = '' } = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <CronPage
      projectRef={ref}
      search={q}
      onSearch={(next) => void navigate({ search: readSearch({ q: next }), replace: true })}
    />
  )
}
