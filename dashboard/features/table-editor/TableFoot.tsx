import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { EntityDetail } from '#contract/pg-meta-shapes'
import type { SelectionView } from '../../ui/grid/grid-types.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { MenuChoice } from '../../ui/MenuChoice.tsx'
import { countQuery } from './queries.ts'
import { rangeFigures } from './range-figures.ts'
import { pageSizes, type View } from './search.ts'
import type { TableModel } from './table-model.ts'

type Props = {
  projectRef: string
  entity: EntityDetail
  model: TableModel
  view: View
  page: { next: string | null; previous: string | null } | undefined
  selection: SelectionView
  onPage: (cursor: string, page: number) => void
  onLimit: (limit: number) => void
}

/** Which part of the rows is shown, how many there are, and figures of what is selected. */
export function TableFoot(props: Props) {
  const { projectRef, entity, model, view, page, selection, onPage, onLimit } = props
  const [exact, setExact] = useState(false)
  const count = useQuery(countQuery(projectRef, entity.id, view.filters, exact))
  const figures = rangeFigures(selection, model, entity.columns)
  const pages = count.data && Math.max(1, Math.ceil(count.data.count / view.limit))
  const turn = (cursor: string | null | undefined, by: number) => {
    if (cursor) onPage(cursor, view.page + by)
  }
  return (
    <footer className="foot">
      <IconButton
        icon={ChevronLeft}
        iconSize="s"
        label="Previous page"
        disabledReason={!page?.previous && 'This is the first page'}
        onClick={() => turn(page?.previous, -1)}
      />
      <span>
        Page {view.page}
        {pages ? ` of ${count.data?.is_estimate ? 'about ' : ''}${pages.toLocaleString('en')}` : ''}
      </span>
      <IconButton
        icon={ChevronRight}
        iconSize="s"
        label="Next page"
        disabledReason={!page?.next && 'This is the last page'}
        onClick={() => turn(page?.next, 1)}
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
          {count.data.count.toLocaleString('en')} {count.data.count === 1 ? 'row' : 'rows'}
        </span>
      )}
      {count.data?.is_estimate && (
        <button type="button" className="foot-button hide-narrow" onClick={() => setExact(true)}>
          Count exactly
        </button>
      )}
      {exact && count.isFetching && <span>Counting</span>}
      <span className="grow" />
      {figures && (
        <output className="figures hide-narrow">
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
