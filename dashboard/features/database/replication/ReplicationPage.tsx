import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Antenna, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import {
  databaseServer,
  type ReplicationReader,
  type ReplicationSlot,
} from '#contract/database/database-server'
import { ReplicasCard } from '../../../modules/read-replicas/ReplicasCard.tsx'
import { publicationsQuery } from '../../../modules/objects/lists.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Card } from '../../../ui/Card.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { Table, type Column } from '../../../ui/lists/Table.tsx'
import { Badge, type Tone } from '../../../ui/text/Badge.tsx'
import { numberText, bytesText } from '../../../ui/text/number.ts'
import { useDatabaseCall } from '../../../session/project/database.ts'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { Time } from '../../../ui/text/Time.tsx'
import { replicationQuery } from './queries.ts'
import '../../../ui/lists/list-page.css'

type Props = { projectRef: string; search: string; onSearch: (search: string) => void }

/** /project/{ref}/database/replication: who follows this database, and how far behind. */
export function ReplicationPage({ projectRef, search, onSearch }: Props) {
  const query = useQuery(replicationQuery(projectRef))
  const { data: publications } = useQuery(publicationsQuery(projectRef))
  const [dropping, setDropping] = useState<ReplicationSlot>()
  const why = useDenials(useProject(projectRef))(databaseServer.dropSlot)
  const data = query.data
  const words = search.toLowerCase()
  return (
    <Page>
      <PageHead
        title="Replication"
        help="Shows who follows this database, how far behind they are, and what they hold back."
        actions={<SearchField label="Find a slot or reader" value={search} onChange={onSearch} />}
      />
      {data && data.wal_level !== 'logical' && (
        <Alert variant="warning" title={`This server's wal_level is ${data.wal_level}`}>
          Publications need logical. Ask the server's operator to set it and restart the server.
        </Alert>
      )}
      <div className="figures">
        <Figure name="Publications" value={publications && numberText(publications.length)}>
          <Link
            className="link"
            to="/project/$ref/database/publications"
            params={{ ref: projectRef }}
          >
            What they publish
          </Link>
        </Figure>
        <Figure name="Slots" value={data && `${data.slots.length} of ${data.max_slots}`}>
          A slot keeps the changes its reader has not read
        </Figure>
        <Figure name="Readers" value={data && `${data.readers.length} of ${data.max_readers}`}>
          Connected and following now
        </Figure>
        <Figure
          name="Held back at most"
          value={data && (data.max_slot_wal === '-1' ? 'Without end' : data.max_slot_wal)}
        >
          A slot further behind is lost
        </Figure>
      </div>
      <div className="sections">
        <ReplicasCard projectRef={projectRef} />
        <Card title="Slots" padded={false}>
          <Table
            label="Slots"
            columns={slotColumns(why, setDropping)}
            rows={data?.slots.filter(({ name }) => name.toLowerCase().includes(words))}
            keyOf={({ name }) => name}
            error={query.error}
            onRetry={() => void query.refetch()}
            empty={
              <EmptyState icon={Antenna} title={search ? 'No slot found' : 'No slot'}>
                {search
                  ? `No name contains “${search}”.`
                  : 'Create one in the SQL editor with extensions.create_replication_slot, and read its changes with extensions.get_replication_slot_changes. Programs that stream changes, such as a subscription on another server, cannot connect to a project.'}
              </EmptyState>
            }
          />
        </Card>
        <Card title="Readers" padded={false}>
          <Table
            label="Readers"
            columns={readerColumns}
            rows={data?.readers.filter((reader) => textOf(reader).includes(words))}
            keyOf={({ pid }) => String(pid)}
            error={query.error}
            onRetry={() => void query.refetch()}
            empty={
              <EmptyState icon={Antenna} title="No replication clients">
                Subscribers and replicas are listed here while they are connected.
              </EmptyState>
            }
          />
        </Card>
      </div>
      {dropping && (
        <DropSlotDialog
          projectRef={projectRef}
          slot={dropping}
          onClose={() => setDropping(undefined)}
        />
      )}
    </Page>
  )
}

const textOf = ({ user, application, slot }: ReplicationReader) =>
  `${user ?? ''} ${application ?? ''} ${slot ?? ''}`.toLowerCase()

type FigureProps = { name: string; value: string | undefined; children: ReactNode }

function Figure({ name, value, children }: FigureProps) {
  return (
    <div className="card">
      <span className="muted">{name}</span>
      <b>{value ?? '…'}</b>
      <span className="faint t12">{children}</span>
    </div>
  )
}

type DropSlotDialogProps = { projectRef: string; slot: ReplicationSlot; onClose: () => void }

/** Ends a slot. It is no structure, so it becomes no migration. */
function DropSlotDialog({ projectRef, slot, onClose }: DropSlotDialogProps) {
  const drop = useDatabaseCall(databaseServer.dropSlot, {
    changes: [databaseServer.replication],
    onSuccess: () => {
      toast.success(`${slot.name} is deleted`)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete ${slot.name}`}
      verb="Delete slot"
      typeName={slot.name}
      error={drop.error?.message}
      pending={drop.isPending}
      onConfirm={() => drop.mutate({ ref: projectRef, name: slot.name })}
    >
      <p>
        Its reader loses its position and must copy everything again.
        {slot.kept_bytes !== null && ` ${bytesText(slot.kept_bytes)} of log is freed.`}
      </p>
    </ConfirmDialog>
  )
}

const lag = (bytes: number | null) =>
  bytes === null ? <span className="faint">Unknown</span> : bytesText(bytes)

const slotColumns = (
  why: string | undefined,
  onDrop: (slot: ReplicationSlot) => void,
): Column<ReplicationSlot>[] => [
  {
    id: 'name',
    head: 'Name',
    sortBy: ({ name }) => name,
    cell: ({ name }) => <span className="mono">{name}</span>,
  },
  {
    id: 'type',
    head: 'Type',
    wideOnly: true,
    cell: ({ type, plugin }) => (
      <span className="muted">{plugin ? `${type}, ${plugin}` : type}</span>
    ),
  },
  {
    id: 'state',
    head: 'State',
    cell: (slot) => <SlotState slot={slot} />,
  },
  {
    id: 'lag',
    head: 'Behind',
    numeric: true,
    width: '110px',
    sortBy: (slot) => slot.lag_bytes,
    cell: (slot) => lag(slot.lag_bytes),
  },
  {
    id: 'kept',
    head: 'Holds back',
    numeric: true,
    width: '110px',
    wideOnly: true,
    sortBy: (slot) => slot.kept_bytes,
    cell: (slot) => lag(slot.kept_bytes),
  },
  {
    id: 'acts',
    head: 'Actions',
    hideHead: true,
    width: '44px',
    cell: (slot) => (
      <IconButton
        icon={Trash2}
        label={`Delete ${slot.name}`}
        disabledReason={
          why ??
          (slot.type === 'physical'
            ? 'It belongs to a read replica'
            : slot.active
              ? 'It is in use: end its reader first'
              : undefined)
        }
        onClick={() => onDrop(slot)}
      />
    ),
  },
]

function SlotState({ slot: { active, wal_status: wal } }: { slot: ReplicationSlot }) {
  const [word, tone]: [string, Tone] =
    wal === 'lost'
      ? ['Lost', 'danger']
      : wal === 'unreserved'
        ? ['About to be lost', 'warning']
        : active
          ? ['Being read', 'success']
          : ['Not read', 'warning']
  return (
    <Badge tone={tone} dot>
      {word}
    </Badge>
  )
}

const readerColumns: Column<ReplicationReader>[] = [
  {
    id: 'who',
    head: 'Who',
    sortBy: ({ user }) => user,
    cell: ({ user, application }) => (
      <span className="row">
        <span className="mono">{user}</span>
        <span className="muted ell">{application}</span>
      </span>
    ),
  },
  {
    id: 'slot',
    head: 'Slot',
    wideOnly: true,
    cell: ({ slot }) => <span className="mono">{slot}</span>,
  },
  {
    id: 'state',
    head: 'State',
    cell: ({ state, sync_state: sync }) => [state, sync].filter(Boolean).join(', '),
  },
  {
    id: 'lag',
    head: 'Behind',
    numeric: true,
    width: '110px',
    sortBy: (reader) => reader.lag_bytes,
    cell: (reader) => lag(reader.lag_bytes),
  },
  {
    id: 'since',
    head: 'Since',
    wideOnly: true,
    width: '130px',
    cell: ({ since }) => since && <Time at={since} />,
  },
]
