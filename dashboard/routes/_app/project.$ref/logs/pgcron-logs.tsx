import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { CronLogsPage } from '../../../../features/observability/logs/LogsPage.tsx'
import { logParams } from '../../../../features/observability/logs/question.ts'
import { aboutQuery } from '../../../../modules/logs/asked.ts'
import { extensionsQuery } from '../../../../modules/objects/lists.ts'
import { useWindowName } from '../../../../session/window-name.ts'

/** The entries of the job scheduler, which are some of those of the database's server. */
export const Route = createFileRoute('/_app/project/$ref/logs/pgcron-logs')({
  staticData: { title: 'Logs', feature: 'logs:collections' },
  validateSearch: logParams,
  loader({ params: { ref } }) {
    void queryClient.prefetchQuery(aboutQuery(ref))
    void queryClient.prefetchQuery(extensionsQuery(ref))
  },
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  const navigate = Route.useNavigate()
  useWindowName('Cron jobs')
  return (
    <CronLogsPage
      projectRef={ref}
      params={Route.useSearch()}
      onParams={(next) =>
        void navigate({ search: logParams(next), replace: true, resetScroll: false })
      }
    />
  )
}
