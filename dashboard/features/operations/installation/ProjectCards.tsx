import type { Health } from '#contract/operations/health'
import { statusView } from '../../../session/project/project-status.ts'
import { Card } from '../../../ui/Card.tsx'
import { type Column, Table } from '../../../ui/lists/Table.tsx'
import { bytesText, counted, numberText } from '../../../ui/text/number.ts'
import { Status } from '../../../ui/text/Status.tsx'
import { Ago, Time } from '../../../ui/text/Time.tsx'
import { Facts } from './Facts.tsx'

type Projects = Health['projects']
type Named = { ref: string; name: string }

/** Operators see names and figures of projects; what is in one is for its members. */
const nameColumn = <Row extends Named>(): Column<Row> => ({
  id: 'name',
  head: 'Project',
  cell: ({ ref, name }) => (
    <span className="health-wrap">
      {name} <span className="mono t12 faint">{ref}</span>
    </span>
  ),
})

const unhealthyColumns: Column<Projects['unhealthy'][number]>[] = [
  nameColumn(),
  {
    id: 'status',
    head: 'Status',
    cell: ({ status }) => (
      <Status tone={statusView(status).tone}>{statusView(status).label}</Status>
    ),
  },
  { id: 'failure', head: 'Reason', wideOnly: true, cell: ({ failure }) => failure },
  { id: 'since', head: 'Since', numeric: true, cell: ({ since }) => <Time at={since} /> },
]

const heaviestColumns: Column<Projects['heaviest'][number]>[] = [
  nameColumn(),
  {
    id: 'cpu',
    head: 'Cores',
    numeric: true,
    cell: ({ cpu }) => (cpu === null ? 'Unknown' : numberText(cpu, 2)),
    sortBy: ({ cpu }) => cpu ?? 0,
  },
  {
    id: 'memory',
    head: 'Memory',
    numeric: true,
    cell: ({ memory_bytes: bytes }) => (bytes === null ? 'Unknown' : bytesText(bytes)),
    sortBy: ({ memory_bytes: bytes }) => bytes ?? 0,
  },
  {
    id: 'disk',
    head: 'Disk',
    numeric: true,
    cell: ({ disk_bytes: bytes }) => (bytes === null ? 'Unknown' : bytesText(bytes)),
    sortBy: ({ disk_bytes: bytes }) => bytes ?? 0,
  },
]

/** All projects of the installation: how they are, and which take the most. */
export function ProjectsCard({
  projects: { by_status, unhealthy, heaviest },
}: {
  projects: Projects
}) {
  return (
    <Card title="Projects" padded={false}>
      <div className="pad">
        {by_status.length === 0 ? (
          <p className="faint">No project has been created yet.</p>
        ) : (
          <Facts
            facts={by_status.map(({ status, count }) => [
              statusView(status).label,
              numberText(count),
            ])}
          />
        )}
      </div>
      {unhealthy.length > 0 && (
        <Table
          label="Unhealthy projects"
          columns={unhealthyColumns}
          rows={unhealthy}
          keyOf={({ ref }) => ref}
          empty={null}
        />
      )}
      {heaviest.length > 0 && (
        <>
          <p className="health-caption">What used the most in the last hour, on average</p>
          <Table
            label="Heaviest projects"
            columns={heaviestColumns}
            rows={heaviest}
            keyOf={({ ref }) => ref}
            empty={null}
          />
        </>
      )}
    </Card>
  )
}

type Backups = NonNullable<Health['backups']>

const lateColumns: Column<Backups['late'][number]>[] = [
  nameColumn(),
  { id: 'due', head: 'Due since', numeric: true, cell: ({ due_at: at }) => <Time at={at} /> },
]
const failedColumns: Column<Backups['failed'][number]>[] = [
  nameColumn(),
  {
    id: 'failure',
    head: 'Reason',
    cell: ({ failure }) => <span className="health-wrap">{failure}</span>,
  },
  { id: 'when', head: 'Failed', numeric: true, cell: ({ failed_at: at }) => <Time at={at} /> },
]

/** Whether the backups that plans include are made. */
export function BackupsCard({ backups }: { backups: Backups | null }) {
  if (!backups) return null
  const { promised, late, failed, newest_at, oldest_newest } = backups
  return (
    <Card title="Scheduled backups" padded={false}>
      <div className="pad">
        <Facts
          facts={[
            ['Included in the plan of', counted(promised, 'running project')],
            ['Late', numberText(late.length)],
            ['Newest backup', newest_at === null ? 'None yet' : <Ago key="at" at={newest_at} />],
            [
              'Project with the oldest newest backup',
              oldest_newest ? (
                <>
                  {oldest_newest.name}, <Ago at={oldest_newest.made_at} />
                </>
              ) : (
                'None'
              ),
            ],
          ]}
        />
      </div>
      {late.length > 0 && (
        <Table
          label="Late backups"
          columns={lateColumns}
          rows={late}
          keyOf={({ ref }) => ref}
          empty={null}
        />
      )}
      {failed.length > 0 && (
        <Table
          label="Failed backups"
          columns={failedColumns}
          rows={failed}
          keyOf={({ ref }) => ref}
          empty={null}
        />
      )}
      <p className="health-caption">
        The installation itself is backed up with <code>npx plinth backup</code>.
      </p>
    </Card>
  )
}
