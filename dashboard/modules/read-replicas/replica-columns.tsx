import { Ellipsis } from 'lucide-react'
import { replicaTenant, type Replica } from '#contract/projects/replicas'
import { IconButton } from '../../ui/controls/IconButton.tsx'
import { Menu } from '../../ui/floats/Menu.tsx'
import { MenuItem } from '../../ui/floats/MenuItem.tsx'
import type { Column } from '../../ui/lists/Table.tsx'
import { bytesText, timeText } from '../../ui/text/number.ts'
import { Status, type StatusTone } from '../../ui/text/Status.tsx'
import { Ago } from '../../ui/text/Time.tsx'

export type Deed = 'restart' | 'promote' | 'remove'
type Parts = {
  projectRef: string
  why: (deed: Deed) => string | undefined
  onDeed: (deed: Deed, replica: Replica) => void
}

/** What a replica is doing, in a word. */
function standingOf({ status, state }: Replica): { tone: StatusTone; word: string } {
  switch (status) {
    case 'INIT_READ_REPLICA':
      return { tone: 'working', word: 'Copying' }
    case 'INIT_READ_REPLICA_FAILED':
      return { tone: 'danger', word: 'Failed' }
    case 'RESTARTING':
      return { tone: 'working', word: 'Restarting' }
    case 'GOING_DOWN':
      return { tone: 'working', word: 'Being dropped' }
    case 'ACTIVE_HEALTHY':
      switch (state) {
        case 'streaming':
          return { tone: 'success', word: 'Streaming' }
        case 'catching_up':
          return { tone: 'working', word: 'Catching up' }
        case 'stopped':
          return { tone: 'paused', word: 'Stopped' }
        case 'broken':
          return { tone: 'danger', word: 'Broken' }
        case null:
          return { tone: 'off', word: 'Unknown' }
      }
  }
}

function Lag({ replica: { lag_bytes: bytes, lag_seconds: seconds } }: { replica: Replica }) {
  if (bytes === null) return <span className="faint">Unknown</span>
  return (
    <>
      <span>{bytesText(bytes)}</span>
      {seconds !== null && bytes > 0 && (
        <span className="choice-help">{timeText(seconds * 1000)}</span>
      )}
    </>
  )
}

export const replicaColumns = ({ projectRef, why, onDeed }: Parts): Column<Replica>[] => [
  {
    id: 'name',
    head: 'Name',
    cell: ({ identifier, reason }) => (
      <>
        <span className="mono">{identifier}</span>
        <span className="choice-help ell">{reason ?? replicaTenant(projectRef, identifier)}</span>
      </>
    ),
  },
  {
    id: 'state',
    head: 'State',
    width: '150px',
    cell: (replica) => {
      const { tone, word } = standingOf(replica)
      return <Status tone={tone}>{word}</Status>
    },
  },
  {
    id: 'lag',
    head: 'Behind',
    numeric: true,
    width: '110px',
    wideOnly: true,
    cell: (replica) => <Lag replica={replica} />,
  },
  {
    id: 'created',
    head: 'Created',
    width: '130px',
    wideOnly: true,
    cell: ({ created_at: created }) => <Ago at={created} />,
  },
  {
    id: 'actions',
    head: 'Actions',
    hideHead: true,
    width: '44px',
    cell: (replica) => {
      const label = `Actions of ${replica.identifier}`
      const isAtRest =
        replica.status === 'ACTIVE_HEALTHY' || replica.status === 'INIT_READ_REPLICA_FAILED'
      const isMade = replica.status === 'ACTIVE_HEALTHY'
      const wait = isAtRest ? undefined : 'Wait until the current operation ends'
      return (
        <Menu label={label} align="end" trigger={<IconButton icon={Ellipsis} label={label} />}>
          <MenuItem
            disabledReason={why('restart') ?? wait}
            onSelect={() => onDeed('restart', replica)}
          >
            {replica.status === 'INIT_READ_REPLICA_FAILED' ? 'Try again' : 'Restart replica'}
          </MenuItem>
          <MenuItem
            disabledReason={
              why('promote') ?? wait ?? (isMade ? undefined : 'It is not a whole copy')
            }
            onSelect={() => onDeed('promote', replica)}
          >
            Promote to primary
          </MenuItem>
          <MenuItem
            danger
            disabledReason={why('remove') ?? wait}
            onSelect={() => onDeed('remove', replica)}
          >
            Drop replica
          </MenuItem>
        </Menu>
      )
    },
  },
]
