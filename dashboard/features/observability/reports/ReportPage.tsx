import { useIsFetching, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { useMemo, useState } from 'react'
import { meteredServices, type MeteredService } from '#contract/billing/usage-metrics'
import { chartOf, reportOf, type ReportKey } from '#contract/observability/report-charts'
import { reports } from '#contract/observability/reports'
import { aboutQuery } from '../../../modules/logs/asked.ts'
import { keptMs, rangeOf } from '../../../modules/logs/range.ts'
import { RangePicker } from '../../../modules/logs/RangePicker.tsx'
import { projectQuery } from '../../../session/project/project.ts'
import { statusView } from '../../../session/project/project-status.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { ReportChart } from './ReportChart.tsx'
import {
  before,
  intervalNames,
  intervalOf,
  intervalsFor,
  servicesOf,
  type ReportParams,
} from './report-params.ts'
import './reports.css'

type Props = {
  projectRef: string
  report: ReportKey
  params: ReportParams
  onParams: (params: ReportParams) => void
}

const serviceNames: Record<MeteredService, string> = {
  rest: 'REST',
  graphql: 'GraphQL',
  auth: 'Auth',
  storage: 'Storage',
  functions: 'Functions',
  realtime: 'Realtime',
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
  return (
    <Page>
      <PageHead title={`${title} report`} help={`${about}.`} />
      <div className="report-bar">
        {isNarrowed && (
          <fieldset className="report-services" aria-label="Services">
            {meteredServices.map((service) => (
              <Button
                key={service}
                aria-pressed={services.includes(service)}
                onClick={() => ask({ ...params, service: toggled(services, service) })}
              >
                {serviceNames[service]}
              </Button>
            ))}
          </fieldset>
        )}
        <span className="report-bar-end">
          <RangePicker
            choice={params}
            range={range}
            source="edge_logs"
            kept={kept}
            onChoice={({ range: next, from: begin, to: end }) =>
              ask({ ...params, range: next, from: begin, to: end })
            }
          />
          <span className="report-interval">
            <Select
              label="Interval"
              size="tool"
              value={interval}
              options={intervalsFor(range).map((id) => ({ value: id, label: intervalNames[id] }))}
              onChange={(next) => ask({ ...params, interval: next })}
            />
          </span>
          <Button
            aria-pressed={params.compare === true}
            disabledReason={
              !isComparable &&
              params.compare !== true &&
              'The time before is not kept that long. Choose a shorter range'
            }
            onClick={() => ask({ ...params, compare: params.compare ? undefined : true })}
          >
            Compare
          </Button>
          <IconButton
            icon={RefreshCw}
            variant="secondary"
            label="Refresh"
            busy={busy}
            onClick={() => setNow(Date.now())}
          />
        </span>
      </div>
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
            onLastHour={() => ask({ ...params, range: '1h', from: undefined, to: undefined })}
          />
        ))}
      </div>
    </Page>
  )
}

function toggled(
  services: readonly MeteredService[],
  service: MeteredService,
): string[] | undefined {
  const next = services.includes(service)
    ? services.filter((one) => one !== service)
    : [...services, service]
  // All of them is what none means, too.
  return next.length === 0 || next.length === meteredServices.length ? undefined : next
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
