import { maxMessages, type Message, type MessageState } from '#contract/integrations/queues'
import { Button } from '../../../ui/controls/Button.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import type { Column } from '../../../ui/lists/Table.tsx'
import { Badge, type Tone } from '../../../ui/text/Badge.tsx'
import { bytesText } from '../../../ui/text/number.ts'
import { exactTime } from '../../../ui/text/time.ts'
import { Time } from '../../../ui/text/Time.tsx'

export const stateWords: Record<MessageState, string> = {
  available: 'Available',
  scheduled: 'Scheduled',
  invisible: 'Invisible',
  archived: 'Archived',
}
const tones: Record<MessageState, Tone> = {
  available: 'success',
  scheduled: 'info',
  invisible: 'warning',
  archived: 'neutral',
}

export const StateBadge = ({ state }: { state: MessageState }) => (
  <Badge tone={tones[state]}>{stateWords[state]}</Badge>
)

type Columns = {
  archived: boolean
  /** Why nothing can be changed. */
  why: string | undefined
  chosen: ReadonlySet<string>
  /** Those that the box in the head chooses. */
  all: readonly string[]
  /** No more can be chosen. */
  isFull: boolean
  onChosen: (chosen: ReadonlySet<string>) => void
  onOpen: (id: string) => void
}

export const messageColumns = (columns: Columns): Column<Message>[] => [
  ...(columns.why ? [] : [choiceColumn(columns)]),
  { id: 'id', head: 'ID', width: '88px', cell: ({ id }) => <span className="mono">{id}</span> },
  {
    id: 'message',
    head: 'Message',
    cell: ({ id, preview, bytes }) => (
      <Button
        variant="ghost"
        className="queue-preview mono"
        aria-label={`Show message ${id}`}
        onClick={() => columns.onOpen(id)}
      >
        {preview ?? `${bytesText(bytes)} of JSON`}
      </Button>
    ),
  },
  ...(columns.archived
    ? []
    : [
        {
          id: 'state',
          head: 'State',
          width: '104px',
          cell: ({ state }: Message) => <StateBadge state={state} />,
        },
      ]),
  {
    id: 'reads',
    head: 'Reads',
    numeric: true,
    width: '72px',
    wideOnly: true,
    cell: ({ reads }) => reads,
  },
  {
    id: 'sent',
    head: 'Sent',
    width: '104px',
    wideOnly: true,
    cell: ({ sent }) => <Time at={sent} />,
  },
  {
    id: 'at',
    head: columns.archived ? 'Archived' : 'Visible from',
    width: '176px',
    wideOnly: true,
    cell: ({ state, at }) =>
      state === 'available' ? (
        <span className="faint">Now</span>
      ) : (
        <span className="t12">{exactTime(new Date(at))}</span>
      ),
  },
]

const choiceColumn = ({ chosen, all, isFull, onChosen }: Columns): Column<Message> => {
  const count = all.filter((id) => chosen.has(id)).length
  return {
    id: 'choice',
    head: 'Select',
    width: '40px',
    headCell: (
      <Checkbox
        hideLabel
        label={`Select the first ${maxMessages} messages`}
        checked={count > 0 && count === all.length}
        mixed={count > 0 && count < all.length}
        onChange={() => onChosen(new Set(count === all.length ? [] : all))}
      />
    ),
    cell: ({ id }) => (
      <Checkbox
        hideLabel
        label={`Select message ${id}`}
        checked={chosen.has(id)}
        disabled={isFull && !chosen.has(id)}
        onChange={() => {
          const next = new Set(chosen)
          if (!next.delete(id)) next.add(id)
          onChosen(next)
        }}
      />
    ),
  }
}
