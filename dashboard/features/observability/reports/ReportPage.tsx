import { useIsFetching, useQuery } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { useMemo, useState } from 'react'
import { meteredServices, type MeteredService } from '#contract/billing/usage-metrics'
import { chartOf } from '#contract/observability/report-charts'
import { reportOf, type ReportKey } from '#contract/observability/report-pages'
import { reports, type ReportInterval } from '#contract/observability/reports'
import { aboutQuery } from '../../../modules/logs/asked.ts'
import { before, keptMs, rangeOf, type Range } from '../../../modules/logs/range.ts'
import { RangePicker } from '../../../modules/logs/RangePicker.tsx'
import { NotRunning } from '../../../session/project/NotRunning.tsx'
import { ReportChart } from '../../../modules/reports/ReportChart.tsx'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import {
  intervalOf,
  servicesOf,
  intervalNames,
  intervalsFor,
  type ReportParams,
} from './report-params.ts'
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
      <NotRunning projectRef={projectRef} what="figures" className="report-note" />
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

type ReportBarProps = {
  params: ReportParams
  range: Range
  /** For how long figures are kept, in milliseconds. */
  kept: number
  interval: ReportInterval
  /** Those that are chosen; undefined where no chart can be narrowed by them. */
  services: readonly MeteredService[] | undefined
  /** The time before is kept, too. */
  isComparable: boolean
  busy: boolean
  /** The same ones: the figures are asked for anew. */
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

/** Which time the charts are of, how fine, and of which services. All of it stands in the address. */
function ReportBar(props: ReportBarProps) {
  const { params, range, kept, interval, services, isComparable, busy, onParams } = props
  return (
    <div className="report-bar">
      {services && (
        <fieldset className="report-services" aria-label="Services">
          {meteredServices.map((service) => (
            <Button
              key={service}
              aria-pressed={services.includes(service)}
              onClick={() => onParams({ ...params, service: toggled(services, service) })}
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
            onParams({ ...params, range: next, from: begin, to: end })
          }
        />
        <span className="report-interval">
          <Select
            label="Interval"
            size="tool"
            value={interval}
            options={intervalsFor(range).map((id) => ({ value: id, label: intervalNames[id] }))}
            onChange={(next) => onParams({ ...params, interval: next })}
          />
        </span>
        <Button
          aria-pressed={params.compare === true}
          disabledReason={
            !isComparable &&
            params.compare !== true &&
            'The time before is not kept that long. Choose a shorter range'
          }
          onClick={() => onParams({ ...params, compare: params.compare ? undefined : true })}
        >
          Compare
        </Button>
        <IconButton
          icon={RefreshCw}
          variant="secondary"
          label="Refresh"
          busy={busy}
          onClick={() => onParams(params)}
        />
      </span>
    </div>
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
