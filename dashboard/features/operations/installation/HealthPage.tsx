import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Health } from '#contract/operations/health'
import { Alert } from '../../../ui/Alert.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { type Column, Table } from '../../../ui/lists/Table.tsx'
import { Meter } from '../../../ui/Meter.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { bytesText, counted, numberText, percentText } from '../../../ui/text/number.ts'
import { Status, type StatusTone } from '../../../ui/text/Status.tsx'
import { Ago, Time } from '../../../ui/text/Time.tsx'
import { Facts } from './Facts.tsx'
import { BackupsCard, ProjectsCard } from './ProjectCards.tsx'
import { JobsCard, RoundsCard } from './WorkCards.tsx'
import { healthQuery } from './queries.ts'
import './installation.css'

const everyMs = 15_000

/** /operator/health: how the installation itself is. */
export function HealthPage() {
  const { data, error, refetch } = useQuery({ ...healthQuery, refetchInterval: everyMs })
  return (
    <Page>
      <PageHead
        title="Health"
        help={
          data ? (
            <>
              Version {data.version}, measured <Ago at={data.taken_at} />.
            </>
          ) : (
            'How this installation is.'
          )
        }
      />
      {error && !data && <ErrorNote what="Health" error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton width={320} />}
      {data && (
        <div className="form-stack">
          <OpenAlerts alerts={data.open_alerts} />
          <ProgramsCard planes={data.planes} />
          <div className="health-pair">
            <DatabaseCard database={data.database} />
            <DiskCard disks={data.disks} />
          </div>
          <JobsCard jobs={data.jobs} mails={data.mails} />
          <RoundsCard rounds={data.rounds} failing={data.failing} />
          <ProjectsCard projects={data.projects} />
          <BackupsCard backups={data.backups} />
          <Absent absent={data.absent} />
        </div>
      )}
    </Page>
  )
}

function OpenAlerts({ alerts }: { alerts: Health['open_alerts'] }) {
  if (alerts.length === 0) return <Alert variant="success" title="No alert is open" />
  return (
    <Alert
      variant="danger"
      title={`${counted(alerts.length, 'alert')} open`}
      action={
        <Link className="link" to="/operator/alerts">
          View alerts
        </Link>
      }
    >
      <ul className="health-alerts">
        {alerts.map(({ condition, subject, message, since }) => (
          <li key={`${condition} ${subject}`}>
            {message}, opened <Ago at={since} />
          </li>
        ))}
      </ul>
    </Alert>
  )
}

/** What nobody can know here is said, and not shown as well. */
function Absent({ absent }: { absent: Health['absent'] }) {
  if (absent.length === 0) return null
  return (
    <Card title="Not measured here">
      <dl className="health-facts">
        {absent.map(({ part, why }) => (
          <div key={part}>
            <dt>{part}</dt>
            <dd>{why}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

type Plane = Health['planes'][number]

const states: Record<Plane['state'], { tone: StatusTone; label: string }> = {
  running: { tone: 'success', label: 'Running' },
  ended: { tone: 'off', label: 'Stopped' },
  lost: { tone: 'danger', label: 'Not reporting' },
}
const kinds: Record<Plane['kind'], string> = {
  'control-plane': 'Control plane',
  'data-plane': 'Data plane',
}

const planeColumns: Column<Plane>[] = [
  {
    id: 'kind',
    head: 'Program',
    cell: ({ kind, place }) => (
      <span className="health-wrap">
        {kinds[kind]} <span className="narrow-only mono t12 faint">{place}</span>
      </span>
    ),
  },
  {
    id: 'place',
    head: 'Address',
    wideOnly: true,
    cell: ({ place }) => <span className="mono t12">{place}</span>,
  },
  {
    id: 'state',
    head: 'State',
    cell: ({ state }) => <Status tone={states[state].tone}>{states[state].label}</Status>,
  },
  {
    id: 'version',
    head: 'Version',
    wideOnly: true,
    cell: ({ version }) => <span className="mono t12">{version}</span>,
  },
  {
    id: 'started',
    head: 'Started',
    wideOnly: true,
    cell: ({ started_at: at }) => <Time at={at} />,
  },
  {
    id: 'heard',
    head: 'Last report',
    wideOnly: true,
    cell: ({ heard_at: at }) => <Time at={at} />,
  },
  {
    id: 'memory',
    head: 'Memory',
    numeric: true,
    width: '96px',
    cell: ({ memory_bytes: bytes }) => bytesText(bytes),
  },
]

/** The programs of the installation. */
function ProgramsCard({ planes }: { planes: readonly Plane[] }) {
  return (
    <Card title="Programs" padded={false}>
      <Table
        label="Programs"
        columns={planeColumns}
        rows={planes}
        keyOf={({ kind, place }) => `${kind} ${place}`}
        empty={<p className="health-none">No program has reported yet.</p>}
      />
    </Card>
  )
}

/** The platform's own database. */
function DatabaseCard({ database }: { database: Health['database'] }) {
  const { version, size_bytes, connections, max_connections, standbys, started_at } = database
  return (
    <Card title="Platform database">
      <Facts
        facts={[
          ['Version', `Postgres ${version}`],
          ['Started', <Ago key="at" at={started_at} />],
          ['Size', bytesText(size_bytes)],
          ['Connections', `${numberText(connections)} of ${numberText(max_connections)}`],
          ['Standby servers', standbys === 0 ? 'None' : numberText(standbys)],
        ]}
      />
    </Card>
  )
}

type Disk = Health['disks'][number]

/** The disk that the installation lies on. */
function DiskCard({ disks }: { disks: readonly Disk[] }) {
  return (
    <Card title="Disk">
      {disks.length === 0 && <p className="faint">No control plane measures a disk.</p>}
      {disks.map((disk) => (
        <DiskOf key={disk.place} disk={disk} />
      ))}
    </Card>
  )
}

function DiskOf({
  disk: { place, folder, free_bytes, size_bytes, parts, parts_at },
}: {
  disk: Disk
}) {
  const used = size_bytes > 0 ? 1 - free_bytes / size_bytes : 0
  const tone = used > 0.9 ? 'danger' : used > 0.8 ? 'warning' : 'neutral'
  return (
    <div className="form-stack">
      <div className="stack">
        <span>
          {bytesText(free_bytes)} free of {bytesText(size_bytes)}
        </span>
        <Meter
          percent={used * 100}
          label={`${percentText(used)} of the disk is used`}
          tone={tone}
        />
        <span className="mono t12 faint health-wrap">
          {place} {folder}
        </span>
      </div>
      {parts_at === null ? (
        <p className="faint">What takes the space is being measured.</p>
      ) : (
        <Facts
          facts={parts.map(({ name, bytes, why }) => [
            name,
            bytes === null ? why : bytesText(bytes),
          ])}
        />
      )}
    </div>
  )
}
