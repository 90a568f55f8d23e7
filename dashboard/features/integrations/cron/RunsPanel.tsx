import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { History } from 'lucide-react'
import { useState } from 'react'
import {
  runStatuses,
  type CronJob,
  type RunStatus,
  type CronResults,
} from '#contract/integrations/cron'
import { Card } from '../../../ui/Card.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'
import { Table } from '../../../ui/lists/Table.tsx'
import { TimeBars } from '../../../ui/plot/TimeBars.tsx'
import { numberText } from '../../../ui/text/number.ts'
import { runColumns } from './cron-columns.tsx'
import { nameOf } from './JobPanel.tsx'
import { runsQuery, resultsQuery } from './queries.ts'

const began = ({ began_at: at }: CronResults) => at
const ended = ({ succeeded, failed }: CronResults) => succeeded + failed
const series = [
  { name: 'Succeeded', colour: '--chart-1', of: ended },
  { name: 'Failed', colour: '--danger', of: ({ failed }: CronResults) => failed },
] as const

type ResultsChartProps = {
  projectRef: string
  /** One of the jobs; undefined: all. */ job?: string
}

/** How the runs of the last day have ended, hour by hour. */
export function ResultsChart({ projectRef, job }: ResultsChartProps) {
  const { data, error, refetch } = useQuery(resultsQuery(projectRef, job))
  if (error && !data)
    return <ErrorNote what="The results" error={error} onRetry={() => void refetch()} />
  const bars = data?.bars ?? []
  const runs = bars.reduce((sum, bar) => sum + ended(bar), 0)
  const failed = bars.reduce((sum, bar) => sum + bar.failed, 0)
  return (
    <Card
      title="Runs of the last 24 hours"
      end={
        <span className="muted">
          {numberText(runs)} {runs === 1 ? 'run' : 'runs'}, {numberText(failed)} failed
        </span>
      }
    >
      <TimeBars label="Runs" bars={bars} began={began} series={series} />
    </Card>
  )
}

type Props = { projectRef: string; job: CronJob; onClose: () => void }

const choices = [
  { value: 'all', label: 'All' },
  ...runStatuses.map((value) => ({
    value,
    label: value.charAt(0).toUpperCase() + value.slice(1),
  })),
]

/** The last runs of a job. */
export function RunsPanel({ projectRef, job, onClose }: Props) {
  const [chosen, setChosen] = useState('all')
  const status = runStatuses.find((one): one is RunStatus => one === chosen)
  const { data, error, refetch } = useQuery(runsQuery(projectRef, { job: job.id, status }))
  return (
    <SidePanel open size="xxlarge" title={`Runs of ${nameOf(job)}`} onClose={onClose}>
      <div className="cron-runs-head">
        <Segmented label="Status" options={choices} value={chosen} onChange={setChosen} />
        <Link className="link" to="/project/$ref/logs/pgcron-logs" params={{ ref: projectRef }}>
          Logs of jobs
        </Link>
      </div>
      <ResultsChart projectRef={projectRef} job={job.id} />
      <Table
        label={`Runs of ${nameOf(job)}`}
        columns={runColumns}
        rows={data?.runs}
        keyOf={({ id }) => id}
        error={error}
        onRetry={() => void refetch()}
        empty={
          <EmptyState icon={History} title={status ? `No run has ${status}` : 'No run yet'}>
            Runs are kept as long as logs are on this plan, and the last ten thousand of each job.
          </EmptyState>
        }
      />
    </SidePanel>
  )
}
