import type { Health } from '#contract/operations/health'
import { Card } from '../../../ui/Card.tsx'
import { Meter } from '../../../ui/Meter.tsx'
import { type Column, Table } from '../../../ui/lists/Table.tsx'
import { bytesText, numberText, percentText } from '../../../ui/text/number.ts'
import { Status, type StatusTone } from '../../../ui/text/Status.tsx'
import { Ago, Time } from '../../../ui/text/Time.tsx'
import { Facts } from './Facts.tsx'

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
export function ProgramsCard({ planes }: { planes: readonly Plane[] }) {
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
export function DatabaseCard({ database }: { database: Health['database'] }) {
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
export function DiskCard({ disks }: { disks: readonly Disk[] }) {
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
