import { useQuery } from '@tanstack/react-query'
import { writableMinutes, type DiskUsage } from '#contract/projects/disk'
import type { Project } from '#contract/projects/projects'
import { useAllowWrites } from '../../../modules/restriction/AllowWrites.tsx'
import { diskQuery, timeOf } from '../../../session/project/disk.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card, WaitingCard } from '../../../ui/Card.tsx'
import { Meter } from '../../../ui/Meter.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import { bytesText, percentText } from '../../../ui/text/number.ts'

/** What the project takes of the disk, what its plan includes, and what follows beyond that. */
export function DiskCard({ project }: { project: Project }) {
  const { data, error, refetch } = useQuery(diskQuery(project.ref))
  if (!data)
    return (
      <WaitingCard title="Disk" what="Disk usage" height={120} error={error} onRetry={refetch} />
    )
  return (
    <Card title="Disk">
      <Usage project={project} usage={data} />
    </Card>
  )
}

function Usage({ project, usage }: { project: Project; usage: DiskUsage }) {
  const { measured_at: at, database_bytes: database, other_bytes: other } = usage
  const { limit_bytes: limit, state } = usage
  if (at === null) return <p className="muted">Disk usage has not been measured yet.</p>
  const share = limit === null ? undefined : database / limit
  return (
    <div className="form-stack">
      {state === 'full' && <Full project={project} usage={usage} />}
      <div className="disk-sum">
        <span>
          <span className="med">{bytesText(database)}</span>{' '}
          <span className="muted">
            {limit === null ? 'in the database' : `of ${bytesText(limit)} in the database`}
          </span>
        </span>
        {share !== undefined && <span className="muted">{percentText(share)}</span>}
      </div>
      {share !== undefined && (
        <Meter
          percent={share * 100}
          label="Database size"
          tone={state === 'full' ? 'danger' : state === 'near' ? 'warning' : 'neutral'}
        />
      )}
      <dl className="defs">
        <dt>Database</dt>
        <dd>{bytesText(database)}: tables, indexes and what belongs to them</dd>
        <dt>Write-ahead log</dt>
        <dd>
          {bytesText(other)}, with other files of the server. It does not count toward the limit
        </dd>
        <dt>Limit</dt>
        <dd>{limitText(limit)}</dd>
        <dt>Measured</dt>
        <dd>
          <Time at={at} />
        </dd>
      </dl>
    </div>
  )
}

const limitText = (limit: number | null) =>
  limit === null
    ? 'None: the disk grows with the database, and what exceeds the 8 GB of the plan is billed by the GB'
    : `${bytesText(limit)} on this plan. Beyond it, the database can only be read until it is smaller`

function Full({ project, usage }: { project: Project; usage: DiskUsage }) {
  const { why, isPending, allow } = useAllowWrites(project)
  const { writable_until: until } = usage
  return (
    <Alert
      variant="danger"
      title={until ? `Writes are allowed until ${timeOf(until)}` : 'The database can only be read'}
      action={
        !until && (
          <Button busy={isPending} disabledReason={why} onClick={allow}>
            Allow writes for {writableMinutes} minutes
          </Button>
        )
      }
    >
      It is larger than its plan includes. Delete data, or choose a larger plan.
    </Alert>
  )
}
