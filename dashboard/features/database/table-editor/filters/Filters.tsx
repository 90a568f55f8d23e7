import { Plus } from 'lucide-react'
import { Fragment, useEffect, useRef, useState, type ReactElement } from 'react'
import type { EntityColumn } from '#contract/database/pg-meta-shapes'
import type { RowFilter } from '#contract/database/rows/table-rows'
import { Button } from '../../../../ui/controls/Button.tsx'
import { cx } from '../../../../ui/cx.ts'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Popover } from '../../../../ui/floats/Popover.tsx'
import { FilterFormLater } from './FilterFormLater.tsx'
import { FilterChip } from './FilterChip.tsx'
import { added, groupsOf, removed, replaced, turned, type Placed } from './filter-groups.ts'

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
  const chip = ({ filter, at }: Placed) => (
    <FilterChip
      filter={filter}
      columns={columns}
      onChange={(next) => onFilters(replaced(filters, at, next))}
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
                columns={columns}
                onAdd={(filter) => onFilters(added(filters, filter, number))}
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
          columns={columns}
          onAdd={(filter) => onFilters(added(filters, filter, 0))}
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
          columns={columns}
          onAdd={(filter) => onFilters(added(filters, filter))}
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

type AddFilterProps = {
  label: string
  trigger: ReactElement<Record<string, unknown>>
  columns: readonly EntityColumn[]
  onAdd: (filter: RowFilter) => void
}

function AddFilter({ label, trigger, columns, onAdd }: AddFilterProps) {
  const [open, setOpen] = useState(false)
  return (
    <Popover label={label} open={open} onOpenChange={setOpen} trigger={trigger}>
      <FilterFormLater
        columns={columns}
        onDone={(filter) => {
          setOpen(false)
          onAdd(filter)
        }}
      />
    </Popover>
  )
}
