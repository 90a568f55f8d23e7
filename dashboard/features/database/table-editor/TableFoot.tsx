import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight } from 'lucide-react'
import { useState } from 'react'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import type { Impersonation } from '../../../modules/roles/impersonation.ts'
import type { SelectionView } from '../../../ui/grid/grid-types.ts'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuChoice } from '../../../ui/floats/MenuItem.tsx'
import { rangeFigures } from './grid/range-figures.ts'
import { countQuery } from './queries.ts'
import { pageSizes, type View } from './search.ts'
import type { TableModel } from './table-model.ts'
import { numberText } from '../../../ui/text/number.ts'

type Props = {
  projectRef: string
  entity: EntityDetail
  model: TableModel
  view: View
  page: { next: string | null; previous: string | null } | undefined
  selection: SelectionView
  /** Places of the columns that are shown. */
  shown: readonly number[]
  as: Impersonation | undefined
  onPage: (cursor: string, page: number) => void
  onFirst: () => void
  /** The page's number, when it is known. */
  onLast: (page: number | undefined) => void
  onLimit: (limit: number) => void
}

/** Which part of the rows is shown, how many there are, and figures of what is selected. */
export function TableFoot(props: Props) {
  const { projectRef, entity, model, view, page, selection, shown, as, onPage, onLimit } = props
  const client = useQueryClient()
  const [exact, setExact] = useState(false)
  const estimate = useQuery(countQuery(projectRef, entity.id, view.filters, false, as))
  const exactly = countQuery(projectRef, entity.id, view.filters, true, as)
  const counted = useQuery({ ...exactly, enabled: exact })
  const count = exact && counted.data ? counted : estimate
  const counting = exact && counted.isFetching
  const figures = rangeFigures(
    selection,
    { rowCount: model.rowCount, cellAt: (row, at) => model.cellAt(row, shown[at] ?? -1) },
    shown.flatMap((at) => entity.columns[at] ?? []),
  )
  const pages = count.data && Math.max(1, Math.ceil(count.data.count / view.limit))
  const ordered = entity.primary_key.length > 0 || entity.kind === 'table'
  /** The request is given up, and with it the counting in the database. */
  function stopCounting() {
    setExact(false)
    void client.cancelQueries({ queryKey: exactly.queryKey })
  }
  const turn = (cursor: string | null | undefined, by: number) => {
    if (cursor) onPage(cursor, view.page + by)
  }
  return (
    <footer className="foot">
      <IconButton
        icon={ChevronsLeft}
        iconSize="s"
        label="First page"
        disabledReason={!page?.previous && 'This is the first page'}
        onClick={props.onFirst}
      />
      <IconButton
        icon={ChevronLeft}
        iconSize="s"
        label="Previous page"
        disabledReason={!page?.previous && 'This is the first page'}
        onClick={() => turn(page?.previous, -1)}
      />
      <span>
        {view.end && view.page === 1 && !count.data ? 'Last page' : `Page ${numberText(view.page)}`}
        {pages ? ` of ${count.data?.is_estimate ? 'about ' : ''}${numberText(pages)}` : ''}
      </span>
      <IconButton
        icon={ChevronRight}
        iconSize="s"
        label="Next page"
        disabledReason={!page?.next && 'This is the last page'}
        onClick={() => turn(page?.next, 1)}
      />
      <IconButton
        icon={ChevronsRight}
        iconSize="s"
        label="Last page"
        disabledReason={
          ordered
            ? !page?.next && 'This is the last page'
            : 'These rows have no fixed order, so there is no last page'
        }
        onClick={() => props.onLast(pages)}
      />
      <Menu
        label="Rows a page"
        trigger={
          <button type="button" className="foot-button">
            {view.limit} rows a page
          </button>
        }
      >
        <MenuChoice
          label="Rows a page"
          options={pageSizes.map((size) => ({ value: String(size), label: `${size} rows a page` }))}
          value={String(view.limit)}
          onChange={(size) => onLimit(Number(size))}
        />
      </Menu>
      {count.data && (
        <span className="hide-narrow">
          {count.data.is_estimate && 'about '}
          {numberText(count.data.count)} {count.data.count === 1 ? 'row' : 'rows'}
        </span>
      )}
      {count.data?.is_estimate && !counting && (
        <button type="button" className="foot-button hide-narrow" onClick={() => setExact(true)}>
          Count exactly
        </button>
      )}
      {counting && (
        <span className="hide-narrow">
          Counting{' '}
          <button type="button" className="foot-button" onClick={stopCounting}>
            Cancel
          </button>
        </span>
      )}
      {counted.error && exact && !counting && (
        <span className="err ell hide-narrow" title={counted.error.message}>
          Not counted: {counted.error.message}
        </span>
      )}
      <span className="grow" />
      {figures && (
        <output className="range-figures hide-narrow">
          {figures.map(([name, value]) => (
            <span key={name}>
              {name} <b>{value}</b>
            </span>
          ))}
        </output>
      )}
    </footer>
  )
}
