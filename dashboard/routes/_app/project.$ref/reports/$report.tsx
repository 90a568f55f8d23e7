import { createFileRoute, notFound } from '@tanstack/react-router'
import { reportKeys, reportOf } from '#contract/observability/report-charts'
import { queryClient } from '../../../../api/client.ts'
import { reportParams } from '../../../../features/observability/reports/report-params.ts'
import { ReportPage } from '../../../../features/observability/reports/ReportPage.tsx'
import { aboutQuery } from '../../../../modules/logs/asked.ts'
import { useWindowName } from '../../../../session/window-name.ts'

/** One report. Its figures are asked for when somebody looks, and not for every link that is pointed at. */
export const Route = createFileRoute('/_app/project/$ref/reports/$report')({
  staticData: { title: 'Reports', feature: 'reports:all' },
  validateSearch: reportParams,
  beforeLoad: ({ params }) => {
    const report = reportKeys.find((key) => key === params.report)
    if (!report) throw notFound()
    return { report }
  },
  loader: ({ params: { ref } }) => void queryClient.prefetchQuery(aboutQuery(ref)),
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  const { report } = Route.useRouteContext()
  const navigate = Route.useNavigate()
  useWindowName(reportOf(report).title)
  return (
    <ReportPage
      key={report}
      projectRef={ref}
      report={report}
      params={Route.useSearch()}
      onParams={(next) =>
        void navigate({ search: reportParams(next), replace: true, resetScroll: false })
      }
    />
  )
}
