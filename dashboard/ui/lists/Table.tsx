import { ArrowDown, ArrowUp, ChevronLeft, ChevronRight } from 'lucide-react'
import { type ReactNode, useState, useCallback, type RefCallback, type ComponentProps } from 'react'
import { cx } from '../cx.ts'
import { ErrorNote } from '../ErrorNote.tsx'
import { Icon } from '../Icon.tsx'
import { Skeleton } from '../Skeleton.tsx'
import { IconButton } from '../controls/IconButton.tsx'
import { numberText } from '../text/number.ts'
import { Button } from '../controls/Button.tsx'

export type Column<Row> = {
  id: string
  head: string
  /** Stands in the head instead of its words, as a box that chooses all rows. */
  headCell?: ReactNode
  cell: (row: Row) => ReactNode
  /** Makes the head a button that sorts by this. */
  sortBy?: (row: Row) => SortKey
  /** Right-aligned, tabular figures. */
  numeric?: boolean
  width?: string
  /** The head is for screen readers only. */
  hideHead?: boolean
  /** Left out below 768 px. */
  wideOnly?: boolean
}

type Props<Row> = {
  label: string
  columns: readonly Column<Row>[]
  /** undefined while loading. */
  rows: readonly Row[] | undefined
  keyOf: (row: Row) => string
  /** Shown when there are no rows at all (an EmptyState), or none that match a search. */
  empty: ReactNode
  error?: Error | null
  onRetry?: () => void
  /** Height of a row: 40, 60 with two lines, 32 inside cards. */
  rowHeight?: 32 | 40 | 60
  startOrder?: Order
  pageSize?: number
}

/** A list: sorted, in pages of 100, with its loading, empty and failed states. */
export function Table<Row>({
  label,
  columns,
  rows,
  keyOf,
  empty,
  error,
  onRetry,
  rowHeight = 40,
  startOrder,
  pageSize = 100,
}: Props<Row>) {
  const [order, setOrder] = useState(startOrder)
  const [page, setPage] = useState(0)
  const [overflows, box] = useOverflow()

  if (error && !rows) return <ErrorNote what={label} error={error} onRetry={onRetry} />
  if (rows?.length === 0) return empty

  const by = columns.find((column) => column.id === order?.column)?.sortBy
  const sorted = rows && order && by ? ordered(rows, by, order.descending) : (rows ?? [])
  const part = pageOf(sorted, page, pageSize)
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls must be reachable */}
      <div className="tbl-scroll" ref={box} tabIndex={overflows ? 0 : undefined}>
        <table
          className={cx('tbl', `rows-${rowHeight}`)}
          aria-label={label}
          aria-busy={!rows || undefined}
        >
          <TableHead
            columns={columns}
            order={order}
            onOrder={(id) => {
              setOrder(nextOrder(order, id))
              setPage(0)
            }}
          />
          <tbody>
            {rows ? (
              part.rows.map((row) => (
                <tr key={keyOf(row)}>
                  {columns.map((column) => (
                    <td
                      key={column.id}
                      className={cx(column.numeric && 'num', column.wideOnly && 'wide-only')}
                    >
                      {column.cell(row)}
                    </td>
                  ))}
                </tr>
              ))
            ) : (
              <TableSkeleton columns={columns} />
            )}
          </tbody>
        </table>
      </div>
      {part.pages > 1 && (
        <TableFoot page={part.page} pages={part.pages} rows={sorted.length} onPage={setPage} />
      )}
    </>
  )
}

type HeadProps<Row> = {
  columns: readonly Column<Row>[]
  order: Order | undefined
  onOrder: (column: string) => void
}

function TableHead<Row>({ columns, order, onOrder }: HeadProps<Row>) {
  return (
    <thead>
      <tr>
        {columns.map((column) => {
          const mine = order?.column === column.id ? order : undefined
          return (
            <th
              key={column.id}
              scope="col"
              className={cx(column.numeric && 'num', column.wideOnly && 'wide-only')}
              style={column.width ? { width: column.width } : undefined}
              aria-sort={mine ? (mine.descending ? 'descending' : 'ascending') : undefined}
            >
              {column.headCell ? (
                column.headCell
              ) : column.sortBy ? (
                <button type="button" onClick={() => onOrder(column.id)}>
                  {column.head}
                  {mine && <Icon of={mine.descending ? ArrowDown : ArrowUp} size="xs" />}
                </button>
              ) : (
                <span className={column.hideHead ? 'sr' : undefined}>{column.head}</span>
              )}
            </th>
          )
        })}
      </tr>
    </thead>
  )
}

// Bars of differing width look like text; the same every time, so that nothing flickers.
const widths = [128, 84, 112, 96]

function TableSkeleton<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  return widths.map((width) => (
    <tr key={width}>
      {columns.map((column, index) => (
        <td key={column.id} className={cx(column.numeric && 'num', column.wideOnly && 'wide-only')}>
          <Skeleton width={index === 0 ? width : 48} />
        </td>
      ))}
    </tr>
  ))
}

type TableFootProps = { page: number; pages: number; rows: number; onPage: (page: number) => void }

function TableFoot({ page, pages, rows, onPage }: TableFootProps) {
  return (
    <div className="foot">
      <IconButton
        icon={ChevronLeft}
        iconSize="s"
        label="Previous page"
        disabledReason={page === 0 && 'This is the first page'}
        onClick={() => onPage(page - 1)}
      />
      <span>
        Page {page + 1} of {pages}
      </span>
      <IconButton
        icon={ChevronRight}
        iconSize="s"
        label="Next page"
        disabledReason={page === pages - 1 && 'This is the last page'}
        onClick={() => onPage(page + 1)}
      />
      <span className="grow" />
      <span>{numberText(rows)} in all</span>
    </div>
  )
}

/** Whether a box holds more than fits across it: then it must be reachable with the keyboard, to be scrolled. */
function useOverflow(): [boolean, RefCallback<HTMLElement>] {
  const [overflows, setOverflows] = useState(false)
  const ref = useCallback((box: HTMLElement | null) => {
    if (!box) return undefined
    const observer = new ResizeObserver(() => setOverflows(box.scrollWidth > box.clientWidth))
    observer.observe(box)
    if (box.firstElementChild) observer.observe(box.firstElementChild)
    return () => observer.disconnect()
  }, [])
  return [overflows, ref]
}

type PagedTableProps<Row> = Omit<
  ComponentProps<typeof Table<Row>>,
  'error' | 'onRetry' | 'pageSize'
> & {
  /** The part of an infinite query that shows and moves it. */
  query: {
    error: Error | null
    hasNextPage: boolean
    isFetchingNextPage: boolean
    refetch: () => unknown
    fetchNextPage: () => unknown
  }
}

/** A list in a card whose pages come from the server one after the other, newest first: there is nothing to leaf through here. */
export function PagedTable<Row>({ query, ...table }: PagedTableProps<Row>) {
  return (
    <>
      <div className="card">
        <Table
          {...table}
          error={query.error}
          onRetry={() => void query.refetch()}
          pageSize={Number.MAX_SAFE_INTEGER}
        />
      </div>
      {query.hasNextPage && (
        <div className="more">
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show older
          </Button>
        </div>
      )}
    </>
  )
}

type SortKey = string | number | boolean | null

type Order = { column: string; descending: boolean }

/** Rows by one value each: numbers by size, text as people order it, what is missing last. Keeps the order of equals. */
export function ordered<Row>(
  rows: readonly Row[],
  by: (row: Row) => SortKey,
  descending: boolean,
): Row[] {
  const sign = descending ? -1 : 1
  return rows.toSorted((a, b) => {
    const [left, right] = [by(a), by(b)]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    if (typeof left === 'string' && typeof right === 'string')
      return sign * left.localeCompare(right, undefined, { numeric: true, sensitivity: 'base' })
    return sign * (Number(left) - Number(right))
  })
}

/** The order after a click on a head: first up, then down, then as the rows came. */
export function nextOrder(order: Order | undefined, column: string): Order | undefined {
  if (order?.column !== column) return { column, descending: false }
  return order.descending ? undefined : { column, descending: true }
}

export function pageOf<Row>(rows: readonly Row[], page: number, size: number) {
  const pages = Math.max(1, Math.ceil(rows.length / size))
  const at = Math.min(Math.max(0, page), pages - 1)
  return { rows: rows.slice(at * size, (at + 1) * size), page: at, pages }
}
