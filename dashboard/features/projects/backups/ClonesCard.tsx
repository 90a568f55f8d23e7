import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CopyPlus } from 'lucide-react'
import type { Clone } from '#contract/projects/backups'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Status } from '../../../ui/text/Status.tsx'
import { Table, type Column } from '../../../ui/lists/Table.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import { exactTime } from '../../../ui/text/time.ts'
import { clonesQuery } from './queries.ts'
import { clockText, cloneView } from './words.ts'

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
export function ClonesCard({ projectRef }: { projectRef: string }) {
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
