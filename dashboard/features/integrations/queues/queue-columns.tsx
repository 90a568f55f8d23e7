import { Link } from '@tanstack/react-router'
import { Eraser, Trash2 } from 'lucide-react'
import type { Queue, QueueType, Count } from '#contract/integrations/queues'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import type { Column } from '../../../ui/lists/Table.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import { numberText } from '../../../ui/text/number.ts'
import { Time } from '../../../ui/text/Time.tsx'

export const typeWords: Record<QueueType, string> = {
  basic: 'Basic',
  unlogged: 'Unlogged',
  partitioned: 'Partitioned',
}

type Columns = {
  projectRef: string
  rateOf: (name: string) => number | undefined
  whyNoPurge: string | undefined
  whyNoDrop: string | undefined
  onPurge: (queue: Queue) => void
  onDrop: (queue: Queue) => void
}

export const queueColumns = (columns: Columns): Column<Queue>[] => [
  {
    id: 'name',
    head: 'Name',
    sortBy: ({ name }) => name,
    cell: ({ name }) => (
      <Link
        className="link mono queue-name"
        to="/project/$ref/integrations/queues/$name"
        params={{ ref: columns.projectRef, name }}
      >
        {name}
      </Link>
    ),
  },
  {
    id: 'type',
    head: 'Type',
    width: '116px',
    wideOnly: true,
    sortBy: ({ type }) => type,
    cell: ({ type }) => typeWords[type],
  },
  {
    id: 'length',
    head: 'Messages',
    numeric: true,
    width: '120px',
    sortBy: ({ length }) => length.count,
    cell: ({ table_id, length }) =>
      table_id === null ? <Badge tone="danger">No table</Badge> : countText(length),
  },
  {
    id: 'oldest',
    head: 'Oldest message',
    width: '140px',
    wideOnly: true,
    sortBy: ({ oldest }) => oldest,
    cell: ({ oldest }) => (oldest ? <Time at={oldest} /> : <span className="faint">None</span>),
  },
  {
    id: 'rate',
    head: 'Sent per minute',
    numeric: true,
    width: '140px',
    wideOnly: true,
    cell: ({ name }) => {
      const rate = columns.rateOf(name)
      return (
        <span title="Measured while this page is open, over the last five minutes at most">
          {rate === undefined ? (
            <span className="faint">Measuring</span>
          ) : (
            numberText(rate, rate < 10 ? 1 : 0)
          )}
        </span>
      )
    },
  },
  {
    id: 'rls',
    head: 'RLS',
    width: '88px',
    wideOnly: true,
    sortBy: ({ rls }) => String(rls),
    cell: ({ rls }) => <RlsBadge rls={rls} />,
  },
  {
    id: 'actions',
    head: 'Actions',
    hideHead: true,
    width: '88px',
    cell: (queue) => (
      <div className="row-acts">
        <IconButton
          icon={Eraser}
          label={`Purge ${queue.name}`}
          disabledReason={
            columns.whyNoPurge ?? (queue.table_id === null && 'The table of the queue is missing')
          }
          onClick={() => columns.onPurge(queue)}
        />
        <IconButton
          icon={Trash2}
          label={`Drop ${queue.name}`}
          disabledReason={columns.whyNoDrop}
          onClick={() => columns.onDrop(queue)}
        />
      </div>
    ),
  },
]

export const RlsBadge = ({ rls }: { rls: boolean }) => (
  <Badge tone={rls ? 'success' : 'warning'}>{rls ? 'Enabled' : 'Disabled'}</Badge>
)

/** `12`, or `≈ 1,203,000` for what was estimated. */
export const countText = ({ count, is_estimate }: Count): string =>
  is_estimate ? `≈ ${numberText(rounded(count))}` : numberText(count)

/** To three figures: the others would claim what nobody has counted. */
const rounded = (count: number): number => {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(count, 1))) - 2)
  return Math.round(count / unit) * unit
}
