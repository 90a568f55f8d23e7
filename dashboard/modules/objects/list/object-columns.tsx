import { Ellipsis, Pencil, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../../ui/controls/Button.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuItem, MenuSeparator } from '../../../ui/floats/MenuItem.tsx'
import type { Column } from '../../../ui/lists/Table.tsx'

type Named = { name: string }

type NameParts<Row> = {
  onOpen: (row: Row) => void
  /** Why it cannot be opened. */
  lock?: string | undefined
  /** Behind the name. */
  badge?: (row: Row) => ReactNode
  width?: string
}

/** The name of an object, which opens it. */
export const nameColumn = <Row extends Named>(parts: NameParts<Row>): Column<Row> => ({
  id: 'name',
  head: 'Name',
  ...(parts.width ? { width: parts.width } : {}),
  sortBy: ({ name }) => name,
  cell: (row) => (
    <span className="object-name">
      <Button variant="ghost" disabledReason={parts.lock} onClick={() => parts.onOpen(row)}>
        <span className="mono ell">{row.name}</span>
      </Button>
      {parts.badge?.(row)}
    </span>
  ),
})

/** The menu at the end of a row: its items. */
export const actionsColumn = <Row extends Named>(items: (row: Row) => ReactNode): Column<Row> => ({
  id: 'actions',
  head: 'Actions',
  hideHead: true,
  width: '44px',
  cell: (row) => (
    <Menu
      label={`Actions for ${row.name}`}
      align="end"
      trigger={<IconButton icon={Ellipsis} label={`Actions for ${row.name}`} />}
    >
      {items(row)}
    </Menu>
  ),
})

/** The menu of a row that is edited and deleted. */
export const changeColumn = <Row extends { name: string }>(
  lock: (row: Row) => string | undefined,
  edit: (row: Row) => void,
  drop: (row: Row) => void,
  /** Items above these. */
  more?: (row: Row) => ReactNode,
): Column<Row> =>
  actionsColumn((row) => (
    <>
      {more?.(row)}
      <MenuItem icon={Pencil} disabledReason={lock(row)} onSelect={() => edit(row)}>
        Edit
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={Trash2} danger disabledReason={lock(row)} onSelect={() => drop(row)}>
        Delete
      </MenuItem>
    </>
  ))

/** A name or an expression, in the type of code. */
export const codeColumn = <Row,>(
  head: string,
  textOf: (row: Row) => string,
  more: Partial<Column<Row>> = {},
): Column<Row> => ({
  id: head,
  head,
  sortBy: textOf,
  cell: (row) => <span className="mono">{textOf(row)}</span>,
  ...more,
})
