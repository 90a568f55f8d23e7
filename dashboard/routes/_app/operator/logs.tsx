import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { installationLevels, installationPrograms } from '#contract/operations/installation-logs'
import { queryClient } from '../../../api/client.ts'
import { LogsPage } from '../../../features/operations/installation/LogsPage.tsx'
import { logsQuery } from '../../../features/operations/installation/queries.ts'
import { isOperator } from '../../../session/identity/profile.ts'
import { oneOf, searchParams, text } from '../../../session/search-params.ts'

const readFilter = searchParams({
  find: text,
  level: oneOf(...installationLevels),
  program: oneOf(...installationPrograms),
})

export const Route = createFileRoute('/_app/operator/logs')({
  staticData: { title: 'Logs' },
  validateSearch: readFilter,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => void (isOperator() && queryClient.prefetchInfiniteQuery(logsQuery(deps))),
  component: Page,
})

function Page() {
  const filter = Route.useSearch()
  const navigate = useNavigate()
  return (
    <LogsPage
      filter={filter}
      onFilter={(next) =>
        void navigate({ to: '/operator/logs', search: readFilter(next), replace: true })
      }
    />
  )
}
