import { X } from 'lucide-react'
import { useState } from 'react'
import type { EntityColumn } from '#contract/database/pg-meta-shapes'
import type { RowFilter } from '#contract/database/rows/table-rows'
import { Icon } from '../../../../ui/Icon.tsx'
import { Popover } from '../../../../ui/floats/Popover.tsx'
import { FilterFormLater } from './FilterFormLater.tsx'
import { operatorWords } from './operators.ts'

type Props = {
  filter: RowFilter
  columns: readonly EntityColumn[]
  onChange: (filter: RowFilter) => void
  onRemove: () => void
}

/** A condition; Delete removes it while it has the focus. */
export function FilterChip({ filter, columns, onChange, onRemove }: Props) {
  const [open, setOpen] = useState(false)
  const what = 'condition' in filter ? 'SQL condition' : `filter on ${filter.column}`
  return (
    <span className="chip">
      <Popover
        label={`Change the ${what}`}
        open={open}
        onOpenChange={setOpen}
        trigger={
          <button
            type="button"
            className="chip-parts"
            aria-label={`Change the ${what}`}
            aria-keyshortcuts="Delete"
            onKeyDown={(event) => {
              if (event.key !== 'Delete' && event.key !== 'Backspace') return
              event.preventDefault()
              onRemove()
            }}
          >
            <Parts filter={filter} />
          </button>
        }
      >
        <FilterFormLater
          columns={columns}
          filter={filter}
          onDone={(next) => {
            setOpen(false)
            onChange(next)
          }}
        />
      </Popover>
      <button type="button" aria-label={`Remove the ${what}`} onClick={onRemove}>
        <Icon of={X} size="xs" />
      </button>
    </span>
  )
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
