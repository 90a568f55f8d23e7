import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  Columns3,
  CopyPlus,
  Ellipsis,
  KeyRound,
  Pencil,
  Plus,
  SearchX,
  Table2,
  Trash2,
} from 'lucide-react'
import { useState } from 'react'
import { migrations } from '#contract/database/migrations'
import { pgMeta } from '#contract/database/pg-meta'
import type { ColumnShape, TableShape } from '#contract/ddl/tables/table-shape'
import { useDenials } from '../../../session/organization/permissions.ts'
import { protection } from '../../../modules/objects/protected-schemas.ts'
import {
  ColumnPanel,
  DropColumnDialog,
  DropTableDialog,
  TablePanel,
} from '../../../modules/tables/table-panels.tsx'
import { shapeQuery } from '../../../modules/tables/table-queries.ts'
import { useProject } from '../../../session/project/project.ts'
import { useWindowName } from '../../../session/window-name.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuItem } from '../../../ui/floats/MenuItem.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { Table, type Column } from '../../../ui/lists/Table.tsx'
import { databaseQuery } from '../../../session/project/database.ts'
import { Badge } from '../../../ui/text/Badge.tsx'
import '../../../ui/lists/objects.css'
import './tables-page.css'

/** What kind of thing it is that has these columns. */
const entityQuery = (ref: string, id: number) => databaseQuery(pgMeta.entity, { ref, id }, 2_000)

type Props = { projectRef: string; tableId: number; onDeleted: (schema: string) => unknown }

type Open =
  | { what: 'edit-table' | 'duplicate' | 'drop-table' | 'new' }
  | { what: 'edit' | 'drop'; column: string }
  | undefined

/** /project/{ref}/database/tables/{id}: the columns of one table. */
export function ColumnsPage({ projectRef, tableId, onDeleted }: Props) {
  const query = useQuery(shapeQuery(projectRef, tableId))
  const { data: entity } = useQuery(entityQuery(projectRef, tableId))
  const [open, setOpen] = useState<Open>()
  const [find, setFind] = useState('')
  const why = useDenials(useProject(projectRef))
  const table = query.data
  useWindowName(table?.name)
  const noTable =
    entity && entity.kind !== 'table' && entity.kind !== 'partitioned_table'
      ? 'You can change only tables here.'
      : undefined
  const locked = why(migrations.change) ?? (table && protection(table.schema)) ?? noTable
  const close = () => setOpen(undefined)
  const needle = find.trim().toLowerCase()
  const rows = table?.columns.filter(({ name, type, comment }) =>
    `${name} ${type} ${comment ?? ''}`.toLowerCase().includes(needle),
  )
  const add = (
    <Button
      variant="primary"
      icon={Plus}
      disabledReason={locked}
      onClick={() => setOpen({ what: 'new' })}
    >
      Add column
    </Button>
  )
  return (
    <Page>
      <PageHead
        title={
          <span className="row">
            <Link
              className="muted"
              to="/project/$ref/database/tables"
              params={{ ref: projectRef }}
              search={table ? { schema: table.schema } : {}}
            >
              Tables
            </Link>
            <span className="faint">/</span>
            <span className="mono">{table?.name ?? '…'}</span>
          </span>
        }
        help={table?.comment ?? 'Columns, with their types and rules.'}
        actions={
          <>
            <Link
              className="btn"
              to="/project/$ref/editor/$id"
              params={{ ref: projectRef, id: String(tableId) }}
              search={table ? { schema: table.schema } : {}}
            >
              <Table2 className="i" aria-hidden />
              Open
            </Link>
            <Menu
              label="Table actions"
              align="end"
              trigger={<IconButton icon={Ellipsis} label="Table actions" />}
            >
              <MenuItem
                icon={Pencil}
                disabledReason={locked}
                onSelect={() => setOpen({ what: 'edit-table' })}
              >
                Edit table
              </MenuItem>
              <MenuItem
                icon={CopyPlus}
                disabledReason={locked}
                onSelect={() => setOpen({ what: 'duplicate' })}
              >
                Duplicate table
              </MenuItem>
              <MenuItem
                icon={Trash2}
                danger
                disabledReason={locked}
                onSelect={() => setOpen({ what: 'drop-table' })}
              >
                Delete table
              </MenuItem>
            </Menu>
            {add}
          </>
        }
      />
      <div className="object-bar">
        <SearchField label="Find a column" value={find} onChange={setFind} />
      </div>
      <div className="card">
        <Table
          label="Columns"
          columns={table ? columnColumns({ table, locked, onOpen: openColumn }) : loading}
          rows={rows}
          keyOf={({ name }) => name}
          error={query.error}
          onRetry={() => void query.refetch()}
          empty={
            needle ? (
              <EmptyState icon={SearchX} title="No column matches">
                No column of this table has “{find.trim()}” in its name, type or description.
              </EmptyState>
            ) : (
              <EmptyState icon={Columns3} title="No columns yet" action={add}>
                A table without columns holds nothing.
              </EmptyState>
            )
          }
        />
      </div>
      {table && (open?.what === 'edit-table' || open?.what === 'duplicate') && (
        <TablePanel
          projectRef={projectRef}
          schema={table.schema}
          what={{ kind: open.what === 'duplicate' ? 'duplicate' : 'edit', id: tableId }}
          onClose={close}
          onDone={close}
        />
      )}
      {(open?.what === 'new' || open?.what === 'edit') && (
        <ColumnPanel
          projectRef={projectRef}
          tableId={tableId}
          column={open.what === 'edit' ? open.column : undefined}
          onClose={close}
          onDone={close}
        />
      )}
      {open?.what === 'drop' && (
        <DropColumnDialog
          projectRef={projectRef}
          tableId={tableId}
          column={open.column}
          onClose={close}
          onDone={close}
        />
      )}
      {table && open?.what === 'drop-table' && (
        <DropTableDialog
          projectRef={projectRef}
          tableId={tableId}
          onClose={close}
          onGone={() => onDeleted(table.schema)}
          onDone={close}
        />
      )}
    </Page>
  )

  function openColumn(what: 'edit' | 'drop', column: string) {
    setOpen({ what, column })
  }
}

const loading = [
  { id: 'name', head: 'Name', cell: () => null },
  { id: 'type', head: 'Type', cell: () => null },
  { id: 'default', head: 'Default', cell: () => null },
]

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
const columnColumns = ({ table, locked, onOpen }: Parts): Column<ColumnShape>[] => [
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
