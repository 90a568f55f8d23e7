import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Clock, History, Plus, SearchX } from 'lucide-react'
import { useState } from 'react'
import {
  cron,
  runStatuses,
  type CronJob,
  type CronResults,
  type RunStatus,
} from '#contract/integrations/cron'
import { forget } from '../../../api/client.ts'
import { EnableCard } from '../../../modules/integrations/EnableCard.tsx'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useDatabaseCall } from '../../../session/project/database.ts'
import { useProject } from '../../../session/project/project.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { Table } from '../../../ui/lists/Table.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { TimeBars } from '../../../ui/plot/TimeBars.tsx'
import { numberText } from '../../../ui/text/number.ts'
import { jobColumns, runColumns } from './cron-columns.tsx'
import { JobPanel, nameOf } from './JobPanel.tsx'
import { cronQuery, ofJobs, resultsQuery, runsQuery } from './queries.ts'
import '../../../ui/lists/list-page.css'
import './cron.css'

type Props = { projectRef: string; search: string; onSearch: (search: string) => void }
type Doing = { what: 'create' } | { what: 'edit' | 'runs' | 'remove'; job: CronJob }

/** /project/{ref}/integrations/cron: SQL that the database runs by a schedule. */
export function CronPage({ projectRef, search, onSearch }: Props) {
  const query = useQuery(cronQuery(projectRef))
  const denied = useDenials(useProject(projectRef))
  const [doing, setDoing] = useState<Doing>()
  const change = useDatabaseCall(cron.update, { onSettled: () => forget(...ofJobs) })
  const run = useDatabaseCall(cron.run, {
    changes: ofJobs,
    onSuccess: () => {
      toast.success('The job runs')
    },
    onError: ({ message }) => toast.error(message),
  })
  const { data, error } = query
  const why = denied(cron.create)
  const words = search.trim().toLowerCase()
  const rows = data?.jobs.filter((job) =>
    `${nameOf(job)} ${job.command}`.toLowerCase().includes(words),
  )
  const create = (
    <Button
      variant="primary"
      icon={Plus}
      disabledReason={why}
      onClick={() => setDoing({ what: 'create' })}
    >
      Create job
    </Button>
  )
  const close = () => setDoing(undefined)
  return (
    <Page>
      <PageHead
        title="Cron"
        help="SQL, functions and HTTP requests that run on a schedule."
        actions={
          data?.installed && (
            <>
              <SearchField label="Find a job" value={search} onChange={onSearch} />
              {create}
            </>
          )
        }
      />
      {error && !data && (
        <ErrorNote what="Jobs" error={error} onRetry={() => void query.refetch()} />
      )}
      {change.error && <Alert variant="danger" title={change.error.message} />}
      {data && !data.installed && (
        <EnableCard
          projectRef={projectRef}
          icon={Clock}
          name="Cron"
          title="Cron is not enabled yet"
          extension="pg_cron"
          done="Cron is enabled"
          changes={ofJobs}
        >
          Enabling it creates the extension <code>pg_cron</code>, with the schema <code>cron</code>,
          in this database. Migrations that create it enable it too.
        </EnableCard>
      )}
      {data && data.jobs.some(({ last }) => last) && (
        <div className="cron-results">
          <ResultsChart projectRef={projectRef} />
        </div>
      )}
      {(data?.installed || (!data && !error)) && (
        <Table
          label="Jobs"
          rowHeight={60}
          columns={jobColumns({
            why,
            onSwitch: ({ id, active }) => change.mutate({ ref: projectRef, id, active: !active }),
            onRun: ({ id }) => run.mutate({ ref: projectRef, id }),
            onRuns: (job) => setDoing({ what: 'runs', job }),
            onEdit: (job) => setDoing({ what: 'edit', job }),
            onRemove: (job) => setDoing({ what: 'remove', job }),
          })}
          rows={rows}
          keyOf={({ id }) => id}
          empty={
            words ? (
              <EmptyState icon={SearchX} title="No job matches">
                No name and no SQL has “{search.trim()}” in it.
              </EmptyState>
            ) : (
              <EmptyState icon={Clock} title="No jobs yet" action={create}>
                A job deletes old rows every night, refreshes a view every hour, or calls a function
                of the database every few seconds.
              </EmptyState>
            )
          }
        />
      )}
      {doing && doing.what !== 'remove' && doing.what !== 'runs' && (
        <JobPanel
          projectRef={projectRef}
          job={doing.what === 'edit' ? doing.job : undefined}
          names={data?.jobs.flatMap(({ name }) => name ?? []) ?? []}
          onClose={close}
        />
      )}
      {doing?.what === 'runs' && (
        <RunsPanel projectRef={projectRef} job={doing.job} onClose={close} />
      )}
      {doing?.what === 'remove' && (
        <RemoveJob projectRef={projectRef} job={doing.job} onClose={close} />
      )}
    </Page>
  )
}

type RemoveProps = { projectRef: string; job: CronJob; onClose: () => void }

function RemoveJob({ projectRef, job, onClose }: RemoveProps) {
  const remove = useDatabaseCall(cron.remove, {
    changes: ofJobs,
    onSuccess: () => {
      toast.success(`${nameOf(job)} is deleted`)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete ${nameOf(job)}`}
      verb="Delete job"
      error={remove.error?.message}
      pending={remove.isPending}
      onConfirm={() => remove.mutate({ ref: projectRef, id: job.id })}
    >
      <p>
        It is not run any more. A run that has begun goes on, and what is known of its runs stays.
      </p>
    </ConfirmDialog>
  )
}

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
function ResultsChart({ projectRef, job }: ResultsChartProps) {
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

type RunsPanelProps = { projectRef: string; job: CronJob; onClose: () => void }

const choices = [
  { value: 'all', label: 'All' },
  ...runStatuses.map((value) => ({
    value,
    label: value.charAt(0).toUpperCase() + value.slice(1),
  })),
]

/** The last runs of a job. */
function RunsPanel({ projectRef, job, onClose }: RunsPanelProps) {
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
