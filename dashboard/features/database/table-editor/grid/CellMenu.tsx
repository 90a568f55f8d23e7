import {
  ArrowDown,
  ArrowUp,
  ArrowUpRight,
  Braces,
  Copy,
  CopyPlus,
  EyeOff,
  FileSearch,
  ListFilter,
  Maximize2,
  PanelRight,
  Pencil,
  Pin,
  PinOff,
  Plus,
  Slash,
  SquareTerminal,
  Trash2,
  Undo2,
  X,
} from 'lucide-react'
import { pgMeta } from '#contract/database/pg-meta'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import type { RowSort } from '#contract/database/rows/table-rows'
import type { TableLayout } from '#contract/database/table-views'
import { useFilesOffered } from '../../../../modules/files/use-files-offered.ts'
import { useDenials } from '../../../../session/organization/permissions.ts'
import { useProject } from '../../../../session/project/project.ts'
import { MenuAt } from '../../../../ui/floats/Menu.tsx'
import type { Place } from '../../../../ui/grid/grid-types.ts'
import { MenuItem, MenuLabel, MenuSeparator } from '../../../../ui/floats/MenuItem.tsx'
import { useCopy } from '../../../../ui/controls/CopyButton.tsx'
import { lockedBecause, mayHoldFile } from './grid-columns.ts'
import type { Overlay } from '../overlay.ts'
import { rowInsert } from '../rows/changes-sql.ts'
import type { View } from '../search.ts'
import { restoration, type StagedOfTable } from '../rows/staged-context.ts'
import { frozenCount, withHidden } from './layout.ts'
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

type ColumnMenuProps = {
  projectRef: string
  entity: EntityDetail
  readOnlySchema: string | undefined
  column: number
  place: Place
  view: View
  onView: (next: Partial<View>) => void
  layout: TableLayout
  shown: readonly number[]
  onLayout: (layout: TableLayout) => void
  onOpen: (overlay: Overlay) => void
  onClose: () => void
}

/** What can be done with one column: how it is seen, and what it is. */
export function ColumnMenu(props: ColumnMenuProps) {
  const { projectRef, entity, column: at, view, onView, layout, shown, onLayout, onOpen } = props
  const why = useDenials(useProject(projectRef))
  const { copy } = useCopy()
  const column = entity.columns[at]
  if (!column) return null
  const { name } = column
  const sorted = view.sort.find((part) => part.column === name)
  const others = view.sort.filter((part) => part.column !== name)
  const sortBy = (direction: RowSort['direction']) =>
    onView({ sort: [{ column: name, direction }, ...others] })
  const place = shown.indexOf(at)
  const names = shown.map((one) => entity.columns[one]?.name)
  const frozen = frozenCount(layout, names, entity.primary_key) === place + 1
  const isTable = entity.kind === 'table' || entity.kind === 'partitioned_table'
  const notHere = isTable ? props.readOnlySchema : 'Only the columns of tables can be changed'
  return (
    <MenuAt place={props.place} label={`Column ${name}`} onClose={props.onClose}>
      <MenuLabel>Click the name to sort, Shift+click to add it</MenuLabel>
      <MenuItem
        icon={ArrowUp}
        disabledReason={sorted?.direction === 'asc' && 'Already sorted this way'}
        onSelect={() => sortBy('asc')}
      >
        Sort ascending
      </MenuItem>
      <MenuItem
        icon={ArrowDown}
        disabledReason={sorted?.direction === 'desc' && 'Already sorted this way'}
        onSelect={() => sortBy('desc')}
      >
        Sort descending
      </MenuItem>
      {sorted && (
        <MenuItem icon={X} onSelect={() => onView({ sort: others })}>
          Remove sort
        </MenuItem>
      )}
      <MenuItem
        icon={ListFilter}
        onSelect={() =>
          onView({
            filters: [...view.filters, { column: name, operator: 'is', value: 'not null' }],
          })
        }
      >
        Hide rows without a value
      </MenuItem>
      <MenuSeparator />
      <MenuItem
        icon={frozen ? PinOff : Pin}
        onSelect={() => onLayout({ ...layout, frozen: frozen ? 0 : place + 1 })}
      >
        {frozen ? 'Unfreeze' : 'Freeze up to here'}
      </MenuItem>
      <MenuItem
        icon={EyeOff}
        disabledReason={shown.length === 1 && 'At least one column has to be shown'}
        onSelect={() => onLayout(withHidden(layout, name, true))}
      >
        Hide column
      </MenuItem>
      <MenuItem icon={Copy} onSelect={() => void copy(name)}>
        Copy name
      </MenuItem>
      <MenuSeparator />
      <MenuItem
        icon={Pencil}
        disabledReason={notHere ?? why(pgMeta.updateColumn)}
        onSelect={() => onOpen({ kind: 'column', name })}
      >
        Edit column
      </MenuItem>
      <MenuItem
        icon={Plus}
        disabledReason={notHere ?? why(pgMeta.createColumn)}
        onSelect={() => onOpen({ kind: 'column', name: undefined })}
      >
        New column
      </MenuItem>
      <MenuItem
        icon={Trash2}
        danger
        disabledReason={notHere ?? why(pgMeta.deleteColumn)}
        onSelect={() => onOpen({ kind: 'drop-column', name })}
      >
        Delete column
      </MenuItem>
    </MenuAt>
  )
}
