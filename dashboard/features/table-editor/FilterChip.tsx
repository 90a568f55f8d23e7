import { X } from 'lucide-react'
import { useState } from 'react'
import type { Column } from '#contract/pg-meta-shapes'
import type { RowFilter } from '#contract/table-rows'
import { Icon } from '../../ui/Icon.tsx'
import { Popover } from '../../ui/Popover.tsx'
import { FilterForm } from './FilterForm.tsx'
import { operatorWords } from './operators.ts'

type Props = {
  filter: RowFilter
  columns: readonly Column[]
  onChange: (filter: RowFilter) => void
  onRemove: () => void
}

export function FilterChip({ filter, columns, onChange, onRemove }: Props) {
  const { column, operator, value } = filter
  const [open, setOpen] = useState(false)
  return (
    <span className="chip">
      <Popover
        label={`Change the filter on ${column}`}
        open={open}
        onOpenChange={setOpen}
        trigger={
          <button
            type="button"
            className="chip-parts"
            aria-label={`Change the filter on ${column}`}
          >
            <span>{column}</span>
            <span className="op" title={operatorWords[operator]}>
              {operator}
            </span>
            <span className="ell chip-value">{value === '' ? "''" : value}</span>
          </button>
        }
      >
        <FilterForm
          columns={columns}
          filter={filter}
          onDone={(next) => {
            setOpen(false)
            onChange(next)
          }}
        />
      </Popover>
      <button type="button" aria-label={`Remove the filter on ${column}`} onClick={onRemove}>
        <Icon of={X} size="xs" />
      </button>
    </span>
  )
}
