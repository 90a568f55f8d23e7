import { useQuery } from '@tanstack/react-query'
import { History, Pencil, Play, Trash2 } from 'lucide-react'
import type { CronJob, CronRun, RunStatus } from '#contract/integrations/cron'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Switch } from '../../../ui/controls/Switch.tsx'
import type { Column } from '../../../ui/lists/Table.tsx'
import { Badge, type Tone } from '../../../ui/text/Badge.tsx'
import { exactTime } from '../../../ui/text/time.ts'
import { Time } from '../../../ui/text/Time.tsx'
import { nameOf } from './JobPanel.tsx'
import { wordsQuery } from './schedule-words.ts'

const tones: Record<RunStatus, Tone> = { running: 'info', succeeded: 'success', failed: 'danger' }
const statusWords: Record<RunStatus, string> = {
  running: 'Running',
  succeeded: 'Succeeded',
  failed: 'Failed',
}

const RunState = ({ status }: { status: RunStatus }) => (
  <Badge tone={tones[status]}>{statusWords[status]}</Badge>
)

type Actions = {
  /** Why nothing can be changed. */
  why: string | undefined
  onSwitch: (job: CronJob) => void
  onRun: (job: CronJob) => void
  onRuns: (job: CronJob) => void
  onEdit: (job: CronJob) => void
  onRemove: (job: CronJob) => void
}

export const jobColumns = (actions: Actions): Column<CronJob>[] => [
  {
    id: 'name',
    head: 'Name',
    sortBy: nameOf,
    cell: (job) => (
      <div className="two-lines">
        <span className="mono">{nameOf(job)}</span>
        <span className="muted t12 mono cron-command">{job.command}</span>
      </div>
    ),
  },
  {
    id: 'schedule',
    head: 'Schedule',
    width: '220px',
    wideOnly: true,
    cell: ({ schedule }) => <ScheduleCell schedule={schedule} />,
  },
  {
    id: 'next',
    head: 'Next run',
    width: '170px',
    wideOnly: true,
    sortBy: ({ next }) => next,
    cell: ({ active, next }) =>
      next ? (
        <span className="t12">{exactTime(new Date(next))}</span>
      ) : (
        <span className="faint">{active ? 'Never due' : 'Switched off'}</span>
      ),
  },
  {
    id: 'last',
    head: 'Last run',
    width: '150px',
    sortBy: ({ last }) => last?.started ?? null,
    cell: ({ last }) =>
      last ? (
        <div className="two-lines">
          <span className="row">
            <RunState status={last.status} />
          </span>
          <span className="muted t12">
            <Time at={last.started} />
          </span>
        </div>
      ) : (
        <span className="faint">Not yet</span>
      ),
  },
  {
    id: 'active',
    head: 'On',
    width: '56px',
    cell: (job) => (
      <Switch
        label={<span className="sr">{nameOf(job)} runs</span>}
        checked={job.active}
        disabled={actions.why !== undefined}
        onChange={() => actions.onSwitch(job)}
      />
    ),
  },
  {
    id: 'actions',
    head: 'Actions',
    hideHead: true,
    width: '152px',
    cell: (job) => (
      <div className="row-actions">
        <IconButton
          icon={Play}
          label={`Run ${nameOf(job)} now`}
          disabledReason={actions.why ?? (job.active ? undefined : 'Switch it on to have it run')}
          onClick={() => actions.onRun(job)}
        />
        <IconButton
          icon={History}
          label={`Runs of ${nameOf(job)}`}
          onClick={() => actions.onRuns(job)}
        />
        <IconButton
          icon={Pencil}
          label={`Change ${nameOf(job)}`}
          disabledReason={actions.why}
          onClick={() => actions.onEdit(job)}
        />
        <IconButton
          icon={Trash2}
          label={`Delete ${nameOf(job)}`}
          disabledReason={actions.why}
          onClick={() => actions.onRemove(job)}
        />
      </div>
    ),
  },
]

function ScheduleCell({ schedule }: { schedule: string }) {
  const { data: words } = useQuery(wordsQuery(schedule))
  return (
    <div className="two-lines">
      <span className="mono">{schedule}</span>
      {words && <span className="muted t12">{words}</span>}
    </div>
  )
}

export const runColumns: Column<CronRun>[] = [
  {
    id: 'status',
    head: 'Status',
    width: '110px',
    cell: ({ status }) => <RunState status={status} />,
  },
  {
    id: 'started',
    head: 'Started',
    width: '170px',
    cell: ({ started }) => <span className="t12">{exactTime(new Date(started))}</span>,
  },
  {
    id: 'took',
    head: 'Took',
    numeric: true,
    width: '90px',
    cell: ({ started, ended }) =>
      ended ? tookText(Date.parse(ended) - Date.parse(started)) : <span className="faint">…</span>,
  },
  {
    id: 'message',
    head: 'Message',
    cell: ({ message }) => <span className="mono t12 cron-message">{message}</span>,
  },
]

const tookText = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`)
