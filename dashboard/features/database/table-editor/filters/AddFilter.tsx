import { useState, type ReactElement } from 'react'
import type { EntityColumn } from '#contract/database/pg-meta-shapes'
import type { RowFilter } from '#contract/database/rows/table-rows'
import { Popover } from '../../../../ui/floats/Popover.tsx'
import { FilterFormLater } from './FilterFormLater.tsx'

type Props = {
  label: string
  trigger: ReactElement<Record<string, unknown>>
  columns: readonly EntityColumn[]
  onAdd: (filter: RowFilter) => void
}

export function AddFilter({ label, trigger, columns, onAdd }: Props) {
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
