import {
  ArrowDown,
  ArrowUp,
  Copy,
  EyeOff,
  ListFilter,
  Pencil,
  Pin,
  PinOff,
  Plus,
  Trash2,
  X,
} from 'lucide-react'
import { pgMeta } from '#contract/database/pg-meta'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import type { RowSort } from '#contract/database/rows/table-rows'
import type { TableLayout } from '#contract/database/table-views'
import { useDenials } from '../../../../session/organization/permissions.ts'
import { useProject } from '../../../../session/project/project.ts'
import type { Place } from '../../../../ui/grid/grid-types.ts'
import { MenuAt } from '../../../../ui/floats/MenuAt.tsx'
import { MenuItem, MenuLabel, MenuSeparator } from '../../../../ui/floats/MenuItem.tsx'
import { useCopy } from '../../../../ui/controls/CopyButton.tsx'
import { frozenCount, withHidden } from './layout.ts'
import type { Overlay } from '../overlay.ts'
import type { View } from '../search.ts'

type Props = {
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
export function ColumnMenu(props: Props) {
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
