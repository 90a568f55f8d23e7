import { Fragment } from 'react'
import type { Column } from '#contract/pg-meta-shapes'
import type { RowFilter } from '#contract/table-rows'
import { AddFilter } from './AddFilter.tsx'
import { FilterChip } from './FilterChip.tsx'
import { inGroups } from './search.ts'

type Props = {
  columns: readonly Column[]
  filters: readonly RowFilter[]
  onFilters: (filters: RowFilter[]) => void
}

/** Conditions, and between them whether both must hold or another group of them begins. */
export function Filters({ columns, filters, onFilters }: Props) {
  const without = (at: number) => {
    const next = filters[at + 1]
    // The group goes on with what follows its first condition.
    const kept = filters.map((filter, i) =>
      i === at + 1 && next && filters[at]?.or ? { ...next, or: true } : filter,
    )
    return inGroups(kept.filter((_, i) => i !== at))
  }
  const turned = (at: number) =>
    filters.map(({ column, operator, value, or }, i) =>
      (i === at) === Boolean(or)
        ? { column, operator, value }
        : { column, operator, value, or: true },
    )
  return (
    <div className="chips">
      {filters.map((filter, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- the same condition may stand there twice
        <Fragment key={`${at} ${filter.column}`}>
          {at > 0 && (
            <button
              type="button"
              className="joint"
              title={
                filter.or ? 'Any group matches: choose for and' : 'All filters match: choose for or'
              }
              onClick={() => onFilters(turned(at))}
            >
              {filter.or ? 'or' : 'and'}
            </button>
          )}
          <FilterChip
            filter={filter}
            columns={columns}
            onChange={(next) =>
              onFilters(
                filters.map((one, i) =>
                  i === at ? { ...next, ...(one.or ? { or: true } : {}) } : one,
                ),
              )
            }
            onRemove={() => onFilters(without(at))}
          />
        </Fragment>
      ))}
      <AddFilter columns={columns} onAdd={(filter) => onFilters([...filters, filter])} />
    </div>
  )
}
