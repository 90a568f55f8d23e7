import { Plus } from 'lucide-react'
import { IconButton } from '../controls/IconButton.tsx'
import type { DataGridProps } from './grid-types.ts'

/** Behind the last head. */
export function AddColumn({ deniedBecause, onAdd }: NonNullable<DataGridProps['addColumn']>) {
  return (
    <div className="grid-add-column">
      <IconButton
        icon={Plus}
        iconSize="s"
        label="New column"
        disabledReason={deniedBecause}
        onClick={onAdd}
      />
    </div>
  )
}
