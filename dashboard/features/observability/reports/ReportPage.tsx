import { useIsFetching, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { chartOf } from '#contract/observability/report-charts'
import { reportOf, type ReportKey } from '#contract/observability/report-pages'
import { reports } from '#contract/observability/reports'
import { aboutQuery } from '../../../modules/logs/asked.ts'
import { keptMs, rangeOf } from '../../../modules/logs/range.ts'
import { projectQuery } from '../../../session/project/project.ts'
import { statusView } from '../../../session/project/project-status.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { ReportBar } from './ReportBar.tsx'
import { ReportChart } from './ReportChart.tsx'
import { before, intervalOf, servicesOf, type ReportParams } from './report-params.ts'
import './reports.css'

type Props = {
  projectRef: string
  report: ReportKey
  params: ReportParams
  onParams: (params: ReportParams) => void
}

/** /project/{ref}/reports/{report}: the charts of one report, all of the same time. */
export function ReportPage({ projectRef, report, params, onParams }: Props) {
  const { title, about, charts } = reportOf(report)
  const { data: logsAbout } = useQuery(aboutQuery(projectRef))
  const [now, setNow] = useState(() => Date.now())
  const kept = keptMs('edge_logs', logsAbout?.retention_days ?? 1)
  const { range: preset, from, to } = params
  const range = useMemo(
    () => rangeOf({ range: preset, from, to }, now, kept),
    [preset, from, to, now, kept],
  )
  const interval = intervalOf(params.interval, range)
  const services = servicesOf(params.service)
  const isNarrowed = charts.some((key) => chartOf(key).narrowed)
  const busy = useIsFetching({ queryKey: [reports.chart.name, projectRef] }) > 0
  const isComparable = before(range).from >= now - kept
  /** Another question is asked as of now. */
  const ask = (next: ReportParams) => {
    setNow(Date.now())
    onParams(next)
  }
  const showLastHour = () => ask({ ...params, range: '1h', from: undefined, to: undefined })
  return (
    <Page>
      <PageHead title={`${title} report`} help={`${about}.`} />
      <ReportBar
        {...{ params, range, kept, interval, isComparable, busy }}
        services={isNarrowed ? services : undefined}
        onParams={ask}
      />
      <NotRunning projectRef={projectRef} />
      {logsAbout?.engine === false && (
        <Alert variant="neutral" title="Logs cannot be searched on this platform">
          Charts that are drawn from logs are missing. The others are complete.
        </Alert>
      )}
      <div className="report-charts">
        {charts.map((key) => (
          <ReportChart
            key={key}
            {...{ projectRef, range, interval, services }}
            chart={key}
            compare={params.compare && isComparable}
            onLastHour={showLastHour}
          />
        ))}
      </div>
    </Page>
  )
}

/** While a project does not run its earlier figures are there. */
function NotRunning({ projectRef }: { projectRef: string }) {
  const { data: project } = useSuspenseQuery(projectQuery(projectRef))
  const { status } = project
  if (status === 'ACTIVE_HEALTHY' || status === 'ACTIVE_UNHEALTHY') return null
  return (
    <div className="report-note">
      <Alert variant="neutral" title={`The database is not running: ${statusView(status).label}`}>
        Earlier figures are here. New ones follow when it runs again.
      </Alert>
    </div>
  )
}
