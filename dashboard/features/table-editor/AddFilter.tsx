import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { Column } from '#contract/pg-meta-shapes'
import type { RowFilter } from '#contract/table-rows'
import { Button } from '../../ui/Button.tsx'
import { Popover } from '../../ui/Popover.tsx'
import { FilterForm } from './FilterForm.tsx'

type Props = { columns: readonly Column[]; onAdd: (filter: RowFilter) => void }

export function AddFilter({ columns, onAdd }: Props) {
  const [open, setOpen] = useState(false)
  return (
    <Popover
      label="Add a filter"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="ghost" icon={Plus}>
          Add filter
        </Button>
      }
    >
      <FilterForm
        columns={columns}
        onDone={(filter) => {
          setOpen(false)
          onAdd(filter)
        }}
      />
    </Popover>
  )
}
