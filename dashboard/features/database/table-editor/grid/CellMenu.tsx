import {
  ArrowUpRight,
  Braces,
  Copy,
  CopyPlus,
  FileSearch,
  ListFilter,
  Maximize2,
  PanelRight,
  Slash,
  SquareTerminal,
  Trash2,
  Undo2,
} from 'lucide-react'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import { useFilesOffered } from '../../../../modules/files/use-files-offered.ts'
import type { Place } from '../../../../ui/grid/grid-types.ts'
import { MenuAt } from '../../../../ui/floats/MenuAt.tsx'
import { MenuItem, MenuSeparator } from '../../../../ui/floats/MenuItem.tsx'
import { useCopy } from '../../../../ui/controls/CopyButton.tsx'
import { lockedBecause, mayHoldFile } from './grid-columns.ts'
import type { Overlay } from '../overlay.ts'
import { rowInsert } from '../rows/changes-sql.ts'
import type { View } from '../search.ts'
import { restoration, type StagedOfTable } from '../rows/staged-context.ts'
import type { CellPlace } from './TableGrid.tsx'
import type { TableModel } from '../table-model.ts'
import { takeDeletion } from '../rows/edits.ts'

type Props = {
  projectRef: string
  entity: EntityDetail
  model: TableModel
  table: StagedOfTable
  readOnly: string | undefined
  cell: CellPlace
  place: Place
  view: View
  onView: (next: Partial<View>) => void
  onOpen: (overlay: Overlay) => void
  onClose: () => void
}

/** What can be done with one cell and its row. */
export function CellMenu(props: Props) {
  const { entity, model, table, readOnly, cell, view, onView, onOpen } = props
  const { copy } = useCopy()
  const files = useFilesOffered(props.projectRef)
  const { row } = cell
  const column = entity.columns[cell.column]
  if (!column) return null
  const seen = model.cellAt(row, cell.column)
  const { text } = seen
  const linked = entity.foreign_keys.some((key) => key.columns.includes(column.name))
  const insert = rowInsert(entity, model, row)
  const deleted = model.rowStateAt(row) === 'deleted'
  const fixedRow = readOnly ?? model.fixedBecause(row)
  const fixed = fixedRow ?? lockedBecause(column)
  return (
    <MenuAt place={props.place} label={`Cell of ${column.name}`} onClose={props.onClose}>
      <MenuItem
        icon={Copy}
        disabledReason={seen.cut ? 'Only the beginning is loaded: open it in a panel' : undefined}
        onSelect={() => void copy(text ?? '')}
      >
        Copy value
      </MenuItem>
      <MenuItem icon={Maximize2} onSelect={() => onOpen({ kind: 'cell', cell })}>
        Open in a panel
      </MenuItem>
      {files && mayHoldFile(column) && !linked && (
        <MenuItem
          icon={FileSearch}
          disabledReason={fixed}
          onSelect={() => onOpen({ kind: 'file', cell })}
        >
          Choose a file
        </MenuItem>
      )}
      {linked && text !== null && (
        <MenuItem icon={ArrowUpRight} onSelect={() => onOpen({ kind: 'peek', cell })}>
          Show the row it refers to
        </MenuItem>
      )}
      <MenuItem
        icon={ListFilter}
        disabledReason={seen.cut && 'The value is too long to filter by'}
        onSelect={() =>
          onView({
            filters: [
              ...view.filters,
              text === null
                ? { column: column.name, operator: 'is', value: 'null' }
                : { column: column.name, operator: '=', value: text },
            ],
          })
        }
      >
        Filter by this value
      </MenuItem>
      <MenuItem
        icon={Slash}
        disabledReason={fixed ?? (column.is_nullable ? undefined : `${column.name} cannot be NULL`)}
        onSelect={() => table.change(model.edited([{ ...cell, text: null }]))}
      >
        Set to NULL
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={PanelRight} onSelect={() => onOpen({ kind: 'row', row })}>
        {fixedRow === undefined ? 'Edit row' : 'Show row'}
      </MenuItem>
      <MenuItem
        icon={CopyPlus}
        disabledReason={readOnly}
        onSelect={() => onOpen({ kind: 'duplicate', row })}
      >
        Duplicate row
      </MenuItem>
      <MenuItem
        icon={SquareTerminal}
        disabledReason={
          insert === undefined && 'Some of its values are truncated here: export the row instead'
        }
        onSelect={() => insert !== undefined && void copy(insert)}
      >
        Copy row as SQL
      </MenuItem>
      <MenuItem icon={Braces} onSelect={() => onOpen({ kind: 'json', rows: [row] })}>
        Row as JSON
      </MenuItem>
      {deleted ? (
        <MenuItem icon={Undo2} onSelect={() => table.change(restoration(model, [row]))}>
          Undo delete
        </MenuItem>
      ) : (
        <MenuItem
          icon={Trash2}
          danger
          disabledReason={fixedRow}
          onSelect={() => takeDeletion({ model, table }, [row])}
        >
          Delete row
        </MenuItem>
      )}
    </MenuAt>
  )
}
