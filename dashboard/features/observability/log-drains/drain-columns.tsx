import { Ellipsis } from 'lucide-react'
import type { LogDrain } from '#contract/observability/log-drain-shapes'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuItem } from '../../../ui/floats/MenuItem.tsx'
import type { Column } from '../../../ui/lists/Table.tsx'
import { Badge, type Tone } from '../../../ui/text/Badge.tsx'
import { bytesText, numberText } from '../../../ui/text/number.ts'
import { Ago } from '../../../ui/text/Time.tsx'
import { destinationOf } from './destinations.ts'

export type Deed = 'edit' | 'switch' | 'remove'
type Parts = {
  /** The plan has none: what is left sends nothing. */
  isLocked: boolean
  why: (deed: Deed) => string | undefined
  onDeed: (deed: Deed, drain: LogDrain) => void
}

const badges = {
  locked: ['neutral', 'Not sending'],
  off: ['neutral', 'Off'],
  failing: ['danger', 'Failing'],
  sending: ['success', 'Sending'],
  waiting: ['neutral', 'Waiting'],
} as const satisfies Record<string, [Tone, string]>

export function standingOf(
  { enabled, state }: Pick<LogDrain, 'enabled' | 'state'>,
  isLocked: boolean,
): keyof typeof badges {
  if (isLocked) return 'locked'
  if (!enabled) return 'off'
  if (state.failing_since !== null) return 'failing'
  return state.delivered_until === null ? 'waiting' : 'sending'
}

function Standing({ drain, isLocked }: { drain: LogDrain; isLocked: boolean }) {
  const { state } = drain
  const standing = standingOf(drain, isLocked)
  const [tone, word] = badges[standing]
  return (
    <>
      <Badge tone={tone} dot>
        {word}
      </Badge>
      <span className="choice-help">
        {standing === 'failing' && state.failing_since !== null ? (
          <>
            First failed <Ago at={state.failing_since} />
          </>
        ) : state.delivered_until === null ? (
          'Nothing delivered yet'
        ) : (
          <>
            Last entry <Ago at={state.delivered_until} />
          </>
        )}
      </span>
    </>
  )
}

export const drainColumns = ({ isLocked, why, onDeed }: Parts): Column<LogDrain>[] => [
  {
    id: 'name',
    head: 'Name',
    cell: ({ name, type, description }) => (
      <>
        <span className="med">{name}</span>
        <span className="choice-help">
          {destinationOf(type).title}
          {description !== '' && `: ${description}`}
        </span>
      </>
    ),
  },
  {
    id: 'state',
    head: 'State',
    width: '190px',
    cell: (drain) => <Standing drain={drain} isLocked={isLocked} />,
  },
  {
    id: 'month',
    head: 'This month',
    width: '170px',
    wideOnly: true,
    cell: ({ state: { events, bytes, lost } }) => (
      <>
        <span className="tn">
          {numberText(events)} {events === 1 ? 'entry' : 'entries'}
        </span>
        <span className="choice-help">
          {bytesText(bytes)}
          {lost > 0 && `, ${numberText(lost)} lost`}
        </span>
      </>
    ),
  },
  {
    id: 'actions',
    head: 'Actions',
    hideHead: true,
    width: '56px',
    numeric: true,
    cell: (drain) => {
      const label = `Actions of ${drain.name}`
      return (
        <Menu label={label} align="end" trigger={<IconButton icon={Ellipsis} label={label} />}>
          <MenuItem disabledReason={why('edit')} onSelect={() => onDeed('edit', drain)}>
            Edit log drain
          </MenuItem>
          <MenuItem disabledReason={why('switch')} onSelect={() => onDeed('switch', drain)}>
            {drain.enabled ? 'Switch off' : 'Switch on'}
          </MenuItem>
          <MenuItem danger disabledReason={why('remove')} onSelect={() => onDeed('remove', drain)}>
            Delete log drain
          </MenuItem>
        </Menu>
      )
    },
  },
]
