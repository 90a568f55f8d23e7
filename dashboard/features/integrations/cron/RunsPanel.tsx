import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { History } from 'lucide-react'
import { useState } from 'react'
import { runStatuses, type CronJob, type RunStatus } from '#contract/integrations/cron'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'
import { Table } from '../../../ui/lists/Table.tsx'
import { runColumns } from './cron-columns.tsx'
import { nameOf } from './JobPanel.tsx'
import { runsQuery } from './queries.ts'
import { ResultsChart } from './ResultsChart.tsx'

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
