import { Ellipsis, KeyRound, Pencil, Trash2 } from 'lucide-react'
import type { ColumnShape, TableShape } from '#contract/ddl/tables/table-shape'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuItem } from '../../../ui/floats/MenuItem.tsx'
import type { Column } from '../../../ui/lists/Table.tsx'

type Parts = {
  table: TableShape
  locked: string | undefined
  onOpen: (what: 'edit' | 'drop', column: string) => void
}

const pointsTo = ({ foreign_keys: keys }: TableShape, name: string) =>
  keys
    .filter(({ columns }) => columns.includes(name))
    .map((key) => {
      const there = key.target_columns[key.columns.indexOf(name)] ?? ''
      return `${key.target_schema}.${key.target_table}.${there}`
    })

/** The columns of a table, as a list. */
export const columnColumns = ({ table, locked, onOpen }: Parts): Column<ColumnShape>[] => [
  {
    id: 'name',
    head: 'Name',
    cell: (column) => (
      <span className="table-name">
        {table.primary_key.columns.includes(column.name) && (
          <span className="column-key" title="Primary key">
            <Icon of={KeyRound} size="s" />
            <span className="sr">Primary key</span>
          </span>
        )}
        <span className="mono">{column.name}</span>
        {column.comment && <span className="muted ell">{column.comment}</span>}
      </span>
    ),
    sortBy: ({ name }) => name,
  },
  {
    id: 'type',
    head: 'Type',
    sortBy: ({ type }) => type,
    cell: ({ type }) => <span className="mono">{type}</span>,
  },
  {
    id: 'default',
    head: 'Default',
    wideOnly: true,
    cell: ({ default: value, identity, generated }) => (
      <span className="mono object-sql">
        {identity ? 'identity' : (generated ?? value ?? <span className="faint">NULL</span>)}
      </span>
    ),
  },
  {
    id: 'marks',
    head: 'Rules',
    wideOnly: true,
    cell: (column) => (
      <span className="row">
        {!column.nullable && <Badge>Not null</Badge>}
        {column.unique && <Badge>Unique</Badge>}
        {column.generated !== null && <Badge>Generated</Badge>}
        {column.check !== null && <Badge>Check</Badge>}
      </span>
    ),
  },
  {
    id: 'points',
    head: 'Points to',
    wideOnly: true,
    cell: ({ name }) => {
      const targets = pointsTo(table, name)
      return targets.length > 0 ? (
        <span className="mono object-sql">{targets.join(', ')}</span>
      ) : (
        <span className="faint">–</span>
      )
    },
  },
  {
    id: 'actions',
    head: 'Actions',
    hideHead: true,
    width: '44px',
    cell: ({ name }) => (
      <Menu
        label={`Actions of ${name}`}
        align="end"
        trigger={<IconButton icon={Ellipsis} label={`Actions of ${name}`} />}
      >
        <MenuItem icon={Pencil} disabledReason={locked} onSelect={() => onOpen('edit', name)}>
          Edit
        </MenuItem>
        <MenuItem
          icon={Trash2}
          danger
          disabledReason={locked}
          onSelect={() => onOpen('drop', name)}
        >
          Delete
        </MenuItem>
      </Menu>
    ),
  },
]
