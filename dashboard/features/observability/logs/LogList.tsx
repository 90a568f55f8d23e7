/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-tabindex --
   a table of which only the rows in sight are drawn cannot be made of the elements of one */
import { Unplug } from 'lucide-react'
import {
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  memo,
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type UIEvent,
} from 'react'
import { dayText, exactClock, exactMicros } from '../../../modules/logs/log-time.ts'
import { cx } from '../../../ui/cx.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { useNarrow } from '../../../ui/use-narrow.ts'
import { levelNames, type LogColumnView } from './columns.tsx'
import { lostText, type Row } from './entries.ts'
import { nextRow, windowOf } from './row-window.ts'

type Props = {
  label: string
  columns: readonly LogColumnView[]
  rows: readonly Row[]
  /** Until the answer to another question is there, these are the rows of the one before. */
  isStale: boolean
  /** The key of the row that the panel shows. */
  open: string | undefined
  onOpen: (row: Row) => void
  /** The end of the rows is near. */
  onEnd: () => void
  /** The reader is further down than the newest rows. */
  onAway: (away: boolean) => void
  /** Goes up to the newest row whenever it changes. */
  top: number
  /** Below the last row. */
  foot: ReactNode
}

const wideRow = 28
const narrowRow = 54

/** The entries, of which only those in sight are drawn; arrows move through them, Enter opens one. */
export function LogList(props: Props) {
  const { label, columns, rows, isStale, open, onOpen, onEnd, onAway, top, foot } = props
  const id = useId()
  const rowHeight = useNarrow() ? narrowRow : wideRow
  const box = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState<string>()
  const [sight, setSight] = useState({ top: 0, height: 800 })
  const { from, to } = windowOf(sight, rowHeight, rows.length)

  const look = useCallback((element: HTMLElement) => {
    const next = { top: element.scrollTop, height: element.clientHeight }
    setSight((before) =>
      // A row more or less changes nothing that is drawn.
      Math.abs(before.top - next.top) < 100 && before.height === next.height ? before : next,
    )
  }, [])
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return undefined
    const observer = new ResizeObserver(() => look(element))
    observer.observe(element)
    return () => observer.disconnect()
  }, [look])
  useEffect(() => {
    box.current?.scrollTo({ top: 0 })
  }, [top])
  useEffect(() => {
    if (to >= rows.length - 30) onEnd()
  }, [to, rows.length, onEnd])

  function scrolled({ currentTarget: element }: UIEvent<HTMLElement>) {
    look(element)
    onAway(element.scrollTop > rowHeight)
  }

  function press(event: KeyboardEvent<HTMLElement>) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    const at = rows.findIndex(({ key }) => key === active)
    const row = rows[at]
    if (event.key === 'Enter' && row) {
      event.preventDefault()
      onOpen(row)
      return
    }
    const page = Math.max(1, Math.floor(sight.height / rowHeight) - 2)
    const next = nextRow(event.key, at, rows.length, page)
    const there = next === undefined ? undefined : rows[next]
    if (next === undefined || !there) return
    event.preventDefault()
    setActive(there.key)
    bring(next)
    if (open !== undefined && there.kind === 'event') onOpen(there)
  }

  /** Scrolls as little as brings a row into sight, below the head. */
  function bring(at: number) {
    const element = box.current
    if (!element) return
    const above = at * rowHeight
    const below = above + rowHeight * 2 + headHeight - element.clientHeight
    if (element.scrollTop > above) element.scrollTop = above
    else if (element.scrollTop < below) element.scrollTop = below
  }

  function pick({ target }: MouseEvent<HTMLElement>) {
    const line = target instanceof Element ? target.closest<HTMLElement>('[data-at]') : null
    const row = rows[Number(line?.dataset['at'] ?? -1)]
    // Who marks text to copy it opens nothing.
    if (!row || getSelection()?.isCollapsed === false) return
    setActive(row.key)
    onOpen(row)
  }

  const at = rows.findIndex(({ key }) => key === active)
  return (
    <div
      ref={box}
      className={cx('log-list', isStale && 'is-stale')}
      // Its type knows only the properties of the standard.
      style={{ '--log-columns': columns.map(({ width }) => width).join(' ') } as CSSProperties}
      onScroll={scrolled}
    >
      <div
        role="grid"
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-busy={isStale || undefined}
        aria-activedescendant={at >= from && at < to ? `${id}-${at}` : undefined}
        tabIndex={0}
        onKeyDown={press}
        onClick={pick}
      >
        <Head columns={columns} />
        <div style={{ height: from * rowHeight }} />
        {rows.slice(from, to).map((row, i) => (
          <LogRow
            key={row.key}
            id={`${id}-${from + i}`}
            row={row}
            at={from + i}
            columns={columns}
            isOpen={row.key === open}
            isActive={row.key === active}
          />
        ))}
        <div style={{ height: (rows.length - to) * rowHeight }} />
      </div>
      <div className="log-foot">{foot}</div>
    </div>
  )
}

function Head({ columns }: Pick<Props, 'columns'>) {
  return (
    <div role="row" className="log-head" aria-rowindex={1}>
      <span role="columnheader">
        <span className="sr">Level</span>
      </span>
      <span role="columnheader">Local time</span>
      {columns.map((column) => (
        <span
          key={column.id}
          role="columnheader"
          className={cx(column.numeric && 'num', column.wideOnly && 'wide-only')}
        >
          {column.head}
        </span>
      ))}
    </div>
  )
}

const headHeight = 28

type LogRowProps = {
  id: string
  row: Row
  /** Where it stands among all rows. */
  at: number
  columns: readonly LogColumnView[]
  isOpen: boolean
  isActive: boolean
}

/** A line of the list, which says by `data-at` which one it is. The same is drawn once. */
const LogRow = memo(function LogRow({ id, row, at, columns, isOpen, isActive }: LogRowProps) {
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
