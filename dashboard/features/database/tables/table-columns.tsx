import { Link } from '@tanstack/react-router'
import {
  Columns3,
  Copy,
  CopyPlus,
  Ellipsis,
  LockOpen,
  Pencil,
  ShieldCheck,
  Table2,
  Trash2,
} from 'lucide-react'
import type { ListedTable } from '#contract/database/table-shapes'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuItem, MenuSeparator } from '../../../ui/floats/MenuItem.tsx'
import type { Column } from '../../../ui/lists/Table.tsx'
import { kindLabels, sizeWords } from './table-words.ts'
import { numberText } from '../../../ui/text/number.ts'

type Parts = {
  projectRef: string
  schema: string
  /** Why nothing can be changed here. */
  locked: string | undefined
  onCopy: (name: string) => void
  onOpen: (what: 'edit' | 'duplicate' | 'drop', table: ListedTable) => void
}

const isTable = ({ kind }: ListedTable) => kind === 'table' || kind === 'partitioned_table'

/** Name and description, how it is secured, how much is in it, and what can be done with it. */
export const tableColumns = (parts: Parts): Column<ListedTable>[] => [
  {
    id: 'name',
    head: 'Name',
    sortBy: ({ name }) => name,
    cell: (table) => (
      <span className="table-name">
        <Link
          className="mono link ell"
          to="/project/$ref/database/tables/$id"
          params={{ ref: parts.projectRef, id: String(table.id) }}
        >
          {table.name}
        </Link>
        {table.kind !== 'table' && <Badge>{kindLabels[table.kind]}</Badge>}
        {table.comment && <span className="muted ell">{table.comment}</span>}
      </span>
    ),
  },
  {
    id: 'security',
    head: 'Row security',
    width: '112px',
    wideOnly: true,
    sortBy: (table) => (isTable(table) ? table.rls_enabled : null),
    cell: (table) => {
      if (!isTable(table)) return <span className="faint">None</span>
      return table.rls_enabled ? (
        <span className="row">
          <Icon of={ShieldCheck} size="s" />
          On
        </span>
      ) : (
        <Badge tone="warning" icon={LockOpen}>
          Off
        </Badge>
      )
    },
  },
  {
    id: 'realtime',
    head: 'Realtime',
    width: '84px',
    wideOnly: true,
    sortBy: ({ realtime }) => realtime,
    cell: ({ realtime }) => (realtime ? 'Sent' : <span className="faint">No</span>),
  },
  {
    id: 'columns',
    head: 'Columns',
    width: '84px',
    numeric: true,
    wideOnly: true,
    sortBy: ({ columns }) => columns,
    cell: ({ columns }) => columns,
  },
  {
    id: 'rows',
    head: 'Rows (estimated)',
    width: '132px',
    numeric: true,
    sortBy: ({ rows_estimate }) => rows_estimate,
    cell: ({ rows_estimate: rows }) =>
      rows === null ? <span className="faint">–</span> : numberText(rows),
  },
  {
    id: 'size',
    head: 'Size',
    width: '88px',
    numeric: true,
    wideOnly: true,
    sortBy: ({ bytes }) => bytes,
    cell: ({ bytes, kind }) =>
      kind === 'table' || kind === 'materialized_view' ? (
        sizeWords(bytes)
      ) : (
        <span className="faint">–</span>
      ),
  },
  {
    id: 'actions',
    head: 'Actions',
    hideHead: true,
    width: '44px',
    cell: (table) => <Actions parts={parts} table={table} />,
  },
]

function Actions({ parts, table }: { parts: Parts; table: ListedTable }) {
  const { projectRef, schema, locked, onCopy, onOpen } = parts
  const id = String(table.id)
  const noTable = isTable(table) ? undefined : `It is a ${kindLabels[table.kind].toLowerCase()}.`
  return (
    <Menu
      label={`Actions of ${table.name}`}
      align="end"
      trigger={<IconButton icon={Ellipsis} label={`Actions of ${table.name}`} />}
    >
      <MenuItem
        icon={Table2}
        as={(item) => (
          <Link
            {...item}
            to="/project/$ref/editor/$id"
            params={{ ref: projectRef, id }}
            search={{ schema }}
          />
        )}
      >
        Open in table editor
      </MenuItem>
      <MenuItem
        icon={Columns3}
        as={(item) => (
          <Link {...item} to="/project/$ref/database/tables/$id" params={{ ref: projectRef, id }} />
        )}
      >
        Show columns
      </MenuItem>
      <MenuItem icon={Copy} onSelect={() => onCopy(table.name)}>
        Copy name
      </MenuItem>
      <MenuSeparator />
      <MenuItem
        icon={Pencil}
        disabledReason={locked ?? noTable}
        onSelect={() => onOpen('edit', table)}
      >
        Edit
      </MenuItem>
      <MenuItem
        icon={CopyPlus}
        disabledReason={locked ?? noTable}
        onSelect={() => onOpen('duplicate', table)}
      >
        Duplicate
      </MenuItem>
      <MenuItem
        icon={Trash2}
        danger
        disabledReason={locked ?? noTable}
        onSelect={() => onOpen('drop', table)}
      >
        Delete
      </MenuItem>
    </Menu>
  )
}
