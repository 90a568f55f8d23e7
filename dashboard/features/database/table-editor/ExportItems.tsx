import { Braces, FileSpreadsheet, SquareTerminal } from 'lucide-react'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import type { RowKey } from '#contract/database/rows/table-rows'
import type { ExportFormat } from '#contract/database/table-transfer'
import type { IconType } from '../../../ui/Icon.tsx'
import { MenuItem } from '../../../ui/floats/MenuItem.tsx'
import { downloadRows } from './download-rows.ts'
import type { View } from './search.ts'

type Props = {
  projectRef: string
  entity: Pick<EntityDetail, 'id' | 'name'>
  /** Only what these let through, in this order. */
  view?: Pick<View, 'filters' | 'sort'> | undefined
  /** Only these rows. */
  keys?: readonly RowKey[] | undefined
  columns?: readonly string[] | undefined
  disabledReason?: string | undefined
}

const formats: { format: ExportFormat; label: string; icon: IconType }[] = [
  { format: 'csv', label: 'Export as CSV', icon: FileSpreadsheet },
  { format: 'json', label: 'Export as JSON', icon: Braces },
  { format: 'sql', label: 'Export as SQL', icon: SquareTerminal },
]

/** One item of a menu for each kind of file. */
export function ExportItems({ projectRef, entity, view, keys, columns, disabledReason }: Props) {
  return formats.map(({ format, label, icon }) => (
    <MenuItem
      key={format}
      icon={icon}
      disabledReason={disabledReason}
      onSelect={() => downloadRows({ projectRef, entity, format, view, keys, columns })}
    >
      {label}
    </MenuItem>
  ))
}
