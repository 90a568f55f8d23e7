import { createFileRoute, notFound } from '@tanstack/react-router'
import { reportKeys, reportOf } from '#contract/observability/report-pages'
import { queryClient } from '../../../../api/client.ts'
import { CustomReportPage } from '../../../../features/observability/reports/custom/CustomReportPage.tsx'
import {
  reportParams,
  type ReportParams,
} from '../../../../features/observability/reports/report-params.ts'
import { ReportPage } from '../../../../features/observability/reports/ReportPage.tsx'
import { aboutQuery } from '../../../../modules/logs/asked.ts'
import { useWindowName } from '../../../../session/window-name.ts'

const isUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** One report, ready-made or somebody's own. Its figures are asked for when somebody looks, and not for every link that is pointed at. */
export const Route = createFileRoute('/_app/project/$ref/reports/$report')({
  staticData: { title: 'Reports', feature: 'reports:all' },
  validateSearch: reportParams,
  beforeLoad: ({ params }) => {
    const report = reportKeys.find((key) => key === params.report)
    if (!report && !isUuid.test(params.report)) throw notFound()
    return { report }
  },
  loader: ({ params: { ref } }) => void queryClient.prefetchQuery(aboutQuery(ref)),
  component: Page,
})

function Page() {
  const { ref, report: id } = Route.useParams()
  const { report } = Route.useRouteContext()
  const navigate = Route.useNavigate()
  const params = Route.useSearch()
  const onParams = (next: ReportParams) =>
    void navigate({ search: reportParams(next), replace: true, resetScroll: false })
  useWindowName(report && reportOf(report).title)
  return report ? (
    <ReportPage key={report} projectRef={ref} {...{ report, params, onParams }} />
  ) : (
    <CustomReportPage key={id} projectRef={ref} {...{ id, params, onParams }} />
  )
}
