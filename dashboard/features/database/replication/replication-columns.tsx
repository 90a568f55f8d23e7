import { Trash2 } from 'lucide-react'
import type { ReplicationReader, ReplicationSlot } from '#contract/database/database-server'
import { Badge, type Tone } from '../../../ui/text/Badge.tsx'
import { bytesText } from '../../../ui/text/number.ts'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import type { Column } from '../../../ui/lists/Table.tsx'
import { Time } from '../../../ui/text/Time.tsx'

const lag = (bytes: number | null) =>
  bytes === null ? <span className="faint">Unknown</span> : bytesText(bytes)

export const slotColumns = (
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

export const readerColumns: Column<ReplicationReader>[] = [
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
