import { useIsFetching, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { RefreshCw } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { ChartKey } from '#contract/observability/report-charts'
import { reports } from '#contract/observability/reports'
import { aboutQuery } from '../../../modules/logs/asked.ts'
import { keptMs, rangeOf } from '../../../modules/logs/range.ts'
import { RangePicker } from '../../../modules/logs/RangePicker.tsx'
import { NotRunning } from '../../../session/project/NotRunning.tsx'
import { ReportChart } from '../../../modules/reports/ReportChart.tsx'
import { buttonClass } from '../../../ui/controls/Button.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { infrastructureParams, type InfrastructureParams } from './infrastructure-params.ts'
import './infrastructure.css'

type Props = {
  projectRef: string
  params: InfrastructureParams
  onParams: (params: InfrastructureParams) => void
}

const shown: readonly ChartKey[] = [
  'database_cpu',
  'database_memory',
  'database_size',
  'database_connections',
]

/** What the server has used over time: the charts of the database report that say whether its size fits. */
export function ResourceCharts({ projectRef, params, onParams }: Props) {
  const { data: logsAbout } = useQuery(aboutQuery(projectRef))
  const [now, setNow] = useState(() => Date.now())
  const kept = keptMs('edge_logs', logsAbout?.retention_days ?? 1)
  const { range: preset, from, to } = params
  const range = useMemo(
    () => rangeOf({ range: preset, from, to }, now, kept),
    [preset, from, to, now, kept],
  )
  const busy = useIsFetching({ queryKey: [reports.chart.name, projectRef] }) > 0
  /** Another question is asked as of now. */
  const ask = (next: InfrastructureParams) => {
    setNow(Date.now())
    onParams(next)
  }
  return (
    <section className="infra-resources" aria-labelledby="infra-resources">
      <div className="infra-resources-head">
        <h2 id="infra-resources">Resources over time</h2>
        <div className="infra-resources-tools">
          <RangePicker
            choice={params}
            range={range}
            source="edge_logs"
            kept={kept}
            onChoice={ask}
          />
          <IconButton
            icon={RefreshCw}
            variant="secondary"
            label="Refresh"
            busy={busy}
            onClick={() => ask(params)}
          />
          <Link
            className={buttonClass({})}
            to="/project/$ref/reports/$report"
            params={{ ref: projectRef, report: 'database' }}
            search={infrastructureParams(params)}
          >
            Open in reports
          </Link>
          <Link
            className={buttonClass({})}
            to="/project/$ref/settings/compute-and-disk"
            params={{ ref: projectRef }}
          >
            Compute and disk
          </Link>
        </div>
      </div>
      <NotRunning projectRef={projectRef} what="figures" className="report-note" />
      <div className="report-charts">
        {shown.map((key) => (
          <ReportChart
            key={key}
            {...{ projectRef, range }}
            chart={key}
            onLastHour={() => ask({ range: '1h' })}
          />
        ))}
      </div>
    </section>
  )
}
