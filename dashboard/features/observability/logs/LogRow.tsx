/* oxlint-disable jsx-a11y/prefer-tag-over-role -- see LogList */
import { memo } from 'react'
import { Unplug } from 'lucide-react'
import { cx } from '../../../ui/cx.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { levelNames, type LogColumnView } from './columns.tsx'
import { lostText, type Row } from './entries.ts'
import { dayText, exactClock, exactMicros } from '../../../modules/logs/log-time.ts'

type Props = {
  id: string
  row: Row
  /** Where it stands among all rows. */
  at: number
  columns: readonly LogColumnView[]
  isOpen: boolean
  isActive: boolean
}

/** A line of the list, which says by `data-at` which one it is. The same is drawn once. */
export const LogRow = memo(function LogRow({ id, row, at, columns, isOpen, isActive }: Props) {
  const place = { id, role: 'row', 'aria-rowindex': at + 2, 'data-at': at }
  if (row.kind === 'lost')
    return (
      <div {...place} className={cx('log-lost', isActive && 'is-at')}>
        <span role="gridcell" aria-colspan={columns.length + 2}>
          <Icon of={Unplug} size="s" />
          {lostText(row.lost)}
        </span>
      </div>
    )
  const { level, timestamp } = row.event
  return (
    <div
      {...place}
      aria-selected={isOpen}
      className={cx('log-row', `is-${level}`, isActive && 'is-at')}
    >
      <span role="gridcell" className="log-level" title={levelNames[level]}>
        <span className="sr">{levelNames[level]}</span>
      </span>
      <span role="gridcell" className="log-time">
        <time dateTime={new Date(timestamp / 1000).toISOString()} title={exactMicros(timestamp)}>
          <span className="faint">{dayText(timestamp / 1000)}</span> {exactClock(timestamp)}
        </time>
      </span>
      {columns.map((column) => (
        <span
          key={column.id}
          role="gridcell"
          className={cx(
            'ell',
            column.numeric && 'num',
            column.isMain && 'is-main',
            column.wideOnly && 'wide-only',
          )}
        >
          {column.cell(row.event)}
        </span>
      ))}
    </div>
  )
})
