import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { CopyPlus } from 'lucide-react'
import { Link } from '@tanstack/react-router'
import type { Backups, Clone } from '#contract/projects/backups'
import { projectQuery } from '../../../session/project/project.ts'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { Status } from '../../../ui/text/Status.tsx'
import { Table, type Column } from '../../../ui/lists/Table.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import { exactTime } from '../../../ui/text/time.ts'
import { CloneForm } from './CloneForm.tsx'
import { clonesQuery, cloneableQuery } from './queries.ts'
import { clockText, cloneView } from './words.ts'
import { wholeSpans } from './moment.ts'
import { WithBackups, PlanNeeded } from './WithBackups.tsx'
import '../../../ui/lists/list-page.css'
import './backups.css'

type Props = {
  projectRef: string
  /** The backup that the link asked for, by its id. */
  backup: string | undefined
}

/** /project/{ref}/database/backups/restore-to-new-project: the data of this project in another one. */
export function RestoreToNewProject(props: Props) {
  return (
    <WithBackups projectRef={props.projectRef}>
      {(data) => (
        <>
          <Restorable {...props} data={data} />
          <ClonesCard projectRef={props.projectRef} />
        </>
      )}
    </WithBackups>
  )
}

function Restorable({ projectRef, backup, data }: Props & { data: Backups }) {
  const { data: project } = useSuspenseQuery(projectQuery(projectRef))
  const { data: target, error, refetch } = useQuery(cloneableQuery(projectRef))
  if (data.retention_days === 0)
    return (
      <PlanNeeded
        slug={project.organization_slug}
        title="Restoring to a new project needs the Pro plan"
      >
        From Pro on, you can restore a backup to a separate project, to look something up in it or
        to try a change on real data.
      </PlanNeeded>
    )
  const completed = data.backups.filter(({ status }) => status === 'COMPLETED')
  const spans = wholeSpans(data.recovery_windows)
  if (completed.length === 0 && spans.length === 0)
    return (
      <div className="card">
        <EmptyState icon={CopyPlus} title="Nothing to restore yet">
          A new project starts from a completed backup of this one. Create one under Backups.
        </EmptyState>
      </div>
    )
  if (error && !target)
    return <ErrorNote what="The new project" error={error} onRetry={() => void refetch()} />
  if (!target)
    return (
      <Card title="New project">
        <Skeleton width="100%" height={320} />
      </Card>
    )
  return (
    <CloneForm
      project={project}
      backups={completed}
      spans={spans}
      start={completed.find(({ id }) => String(id) === backup)?.id}
      target={target}
    />
  )
}

const columns: Column<Clone>[] = [
  {
    id: 'project',
    head: 'Project',
    cell: ({ status, target_project: { ref, name } }) =>
      status === 'REMOVED' ? (
        <span className="muted ell">{name}</span>
      ) : (
        <Link className="link ell" to="/project/$ref" params={{ ref }}>
          {name}
        </Link>
      ),
  },
  {
    id: 'status',
    head: 'Status',
    width: '140px',
    cell: ({ status }) => <Status tone={cloneView[status].tone}>{cloneView[status].label}</Status>,
  },
  {
    id: 'moment',
    head: 'As it was at',
    width: '200px',
    wideOnly: true,
    cell: ({ restored_to: at }) => (
      <time dateTime={at} title={exactTime(new Date(at))}>
        {clockText(at)}
      </time>
    ),
  },
  {
    id: 'begun',
    head: 'Begun',
    width: '110px',
    wideOnly: true,
    cell: ({ inserted_at: at }) => <Time at={at} />,
  },
]

/** The projects that were made from this one's data, newest first. */
function ClonesCard({ projectRef }: { projectRef: string }) {
  const query = useQuery(clonesQuery(projectRef))
  return (
    <Card title="Restored to new projects" padded={false}>
      <Table
        label="Restores to new projects"
        columns={columns}
        rows={query.data?.clones}
        keyOf={({ id }) => String(id)}
        error={query.error}
        onRetry={() => void query.refetch()}
        empty={
          <EmptyState icon={CopyPlus} title="None yet">
            Projects created from this one’s data appear here.
          </EmptyState>
        }
      />
    </Card>
  )
}
