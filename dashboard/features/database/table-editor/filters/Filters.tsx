import { Plus } from 'lucide-react'
import { Fragment, useEffect, useRef, lazy, Suspense, type ComponentProps } from 'react'
import type { EntityColumn } from '#contract/database/pg-meta-shapes'
import type { RowFilter } from '#contract/database/rows/table-rows'
import { Button } from '../../../../ui/controls/Button.tsx'
import { cx } from '../../../../ui/cx.ts'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { AddFilter, FilterChip } from '../../../../ui/floats/FilterChip.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import { operatorWords } from './operators.ts'
import { added, groupsOf, removed, replaced, turned, type Placed } from './filter-text.ts'

type Props = {
  columns: readonly EntityColumn[]
  filters: readonly RowFilter[]
  onFilters: (filters: RowFilter[]) => void
}

/** Conditions in groups: all of a group must hold, and one of the groups. */
export function Filters({ columns, filters, onFilters }: Props) {
  const groups = groupsOf(filters)
  const several = groups.length > 1
  const { box, remember } = useFocusOf(filters)
  const joint = (at: number, or: boolean) => (
    <button
      type="button"
      className="joint"
      title={or ? 'Any group matches: choose for and' : 'All filters match: choose for or'}
      onClick={() => onFilters(turned(filters, at))}
    >
      {or ? 'or' : 'and'}
    </button>
  )
  const form =
    (onFilter: (filter: RowFilter) => void, filter?: RowFilter) => (close: () => void) => (
      <FilterFormLater
        columns={columns}
        {...(filter && { filter })}
        onDone={(next) => {
          close()
          onFilter(next)
        }}
      />
    )
  const chip = ({ filter, at }: Placed) => (
    <FilterChip
      what={'condition' in filter ? 'SQL condition' : `filter on ${filter.column}`}
      parts={<Parts filter={filter} />}
      form={form((next) => onFilters(replaced(filters, at, next)), filter)}
      onRemove={() => {
        remember(at)
        onFilters(removed(filters, at))
      }}
    />
  )
  return (
    <div className="chips" ref={box}>
      {groups.map((group, number) => (
        <Fragment key={group[0]?.at}>
          {number > 0 && joint(group[0]?.at ?? 0, true)}
          <fieldset
            className={cx('chip-group', several && 'several')}
            aria-label={several ? `Group ${number + 1} of filters` : 'Filters'}
          >
            {group.map((placed, i) => (
              <Fragment key={placed.at}>
                {i > 0 && joint(placed.at, false)}
                {chip(placed)}
              </Fragment>
            ))}
            {several && (
              <AddFilter
                label={`Add to group ${number + 1}`}
                trigger={
                  <IconButton icon={Plus} iconSize="s" label={`Add to group ${number + 1}`} />
                }
                form={form((filter) => onFilters(added(filters, filter, number)))}
              />
            )}
          </fieldset>
        </Fragment>
      ))}
      {!several && (
        <AddFilter
          label="Add a filter"
          trigger={
            <Button variant="ghost" icon={Plus}>
              Add filter
            </Button>
          }
          form={form((filter) => onFilters(added(filters, filter, 0)))}
        />
      )}
      {filters.length > 0 && (
        <AddFilter
          label="Add a group"
          trigger={
            <Button
              variant="ghost"
              icon={Plus}
              title="Start another group: rows are shown when any group matches"
            >
              Add OR group
            </Button>
          }
          form={form((filter) => onFilters(added(filters, filter)))}
        />
      )}
    </div>
  )
}

/** Where a condition was removed the focus goes to the one that takes its place, or to what adds the next. */
function useFocusOf(filters: readonly RowFilter[]) {
  const box = useRef<HTMLDivElement>(null)
  const gone = useRef<number>(undefined)
  useEffect(() => {
    const at = gone.current
    gone.current = undefined
    if (at === undefined) return
    const chips = box.current?.querySelectorAll<HTMLElement>('.chip-parts')
    const next = chips?.[Math.min(at, chips.length - 1)]
    ;(next ?? box.current?.querySelector<HTMLElement>('button'))?.focus()
  }, [filters])
  return { box, remember: (at: number) => (gone.current = at) }
}

function Parts({ filter }: { filter: RowFilter }) {
  if ('condition' in filter)
    return (
      <>
        <span className="op">SQL</span>
        <span className="ell chip-value" title={filter.condition}>
          {filter.condition}
        </span>
      </>
    )
  const { column, path, operator, value } = filter
  return (
    <>
      <span>{path === undefined ? column : `${column} → ${path}`}</span>
      <span className="op" title={operatorWords[operator]}>
        {operator}
      </span>
      {operator !== 'exists' && (
        <span className="ell chip-value">{value === '' ? "''" : value}</span>
      )}
    </>
  )
}

const FilterForm = lazy(() => import('./FilterForm.tsx').then((m) => ({ default: m.FilterForm })))

/** The form of a filter, which is loaded when somebody first opens one: rows are there without it. */
function FilterFormLater(props: ComponentProps<typeof FilterForm>) {
  return (
    <Suspense fallback={<Skeleton width={240} />}>
      <FilterForm {...props} />
    </Suspense>
  )
}
