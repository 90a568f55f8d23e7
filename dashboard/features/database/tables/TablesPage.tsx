import { useQuery } from '@tanstack/react-query'
import { Ellipsis, Pencil, Plus, SearchX, Table2, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { migrations } from '#contract/database/migrations'
import type { EntityKind } from '#contract/database/pg-meta-shapes'
import type { ListedTable } from '#contract/database/table-shapes'
import type { Change } from '#contract/ddl/change'
import { dropSchema, renameSchema } from '#contract/ddl/schemas'
import { nameProblem } from '../../../modules/objects/name-problem.ts'
import { ReviewChange } from '../../../modules/objects/ReviewChange.tsx'
import { NewSchemaDialog } from '../../../modules/tables/NewSchemaDialog.tsx'
import { useDenials } from '../../../session/organization/permissions.ts'
import { protection } from '../../../modules/objects/protected-schemas.ts'
import { SchemaSelect } from '../../../modules/objects/SchemaSelect.tsx'
import { DropTableDialog, TablePanel } from '../../../modules/tables/table-panels.tsx'
import { ofSchemas, ofTables, tableListQuery } from '../../../modules/tables/table-queries.ts'
import { useProject } from '../../../session/project/project.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { FormDialog } from '../../../ui/floats/FormDialog.tsx'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuItem } from '../../../ui/floats/MenuItem.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { Table } from '../../../ui/lists/Table.tsx'
import { useCopy } from '../../../ui/controls/CopyButton.tsx'
import { kindLabels, type TablesSearch } from './table-words.ts'
import { tableColumns } from './table-columns.tsx'
import '../../../ui/lists/objects.css'
import './tables-page.css'

type Props = {
  projectRef: string
  search: TablesSearch
  onSearch: (search: TablesSearch) => unknown
}

type Open =
  | { what: 'new' }
  | { what: 'edit' | 'duplicate' | 'drop'; table: ListedTable }
  | undefined

const kinds: readonly { value: EntityKind | 'all'; label: string }[] = [
  { value: 'all', label: 'All kinds' },
  { value: 'table', label: kindLabels.table },
  { value: 'partitioned_table', label: kindLabels.partitioned_table },
  { value: 'view', label: kindLabels.view },
  { value: 'materialized_view', label: kindLabels.materialized_view },
  { value: 'foreign_table', label: kindLabels.foreign_table },
]

/** /project/{ref}/database/tables */
export function TablesPage({ projectRef, search, onSearch }: Props) {
  const { schema = 'public', find = '', kind } = search
  const query = useQuery(tableListQuery(projectRef, schema))
  const [open, setOpen] = useState<Open>()
  const { copy } = useCopy()
  const why = useDenials(useProject(projectRef))
  const locked = why(migrations.change) ?? protection(schema)
  const needle = find.trim().toLowerCase()
  const rows = query.data?.filter(
    (table) =>
      (!kind || table.kind === kind) &&
      `${table.name} ${table.comment ?? ''}`.toLowerCase().includes(needle),
  )
  const close = () => setOpen(undefined)
  const create = (
    <Button
      variant="primary"
      icon={Plus}
      disabledReason={locked}
      onClick={() => setOpen({ what: 'new' })}
    >
      New table
    </Button>
  )
  return (
    <Page>
      <PageHead
        title="Tables"
        help="Everything in a schema that has rows, with its size and who can access it."
        actions={create}
      />
      <div className="object-bar">
        <SchemaSelect
          projectRef={projectRef}
          schema={schema}
          onSchema={(next) => onSearch({ ...search, schema: next })}
        />
        <SchemaMenu
          projectRef={projectRef}
          schema={schema}
          onSchema={(next) => onSearch({ ...search, schema: next })}
        />
        <div className="kind-select">
          <Select
            label="Kind"
            size="tool"
            options={kinds}
            value={kind ?? 'all'}
            onChange={(next) => {
              const { kind: _kind, ...others } = search
              onSearch(next === 'all' ? others : { ...others, kind: next })
            }}
          />
        </div>
        <SearchField
          label="Find a table"
          value={find}
          onChange={(text) => onSearch({ ...search, find: text })}
        />
      </div>
      {protection(schema) && <p className="help tables-note">{protection(schema)}</p>}
      <div className="card">
        <Table
          label="Tables"
          columns={tableColumns({
            projectRef,
            schema,
            locked,
            onCopy: (name) => void copy(name),
            onOpen: (what, table) => setOpen({ what, table }),
          })}
          rows={rows}
          keyOf={({ id }) => String(id)}
          error={query.error}
          onRetry={() => void query.refetch()}
          empty={
            needle || kind ? (
              <EmptyState icon={SearchX} title="No table matches">
                Nothing in {schema} matches. Change the search or the kind.
              </EmptyState>
            ) : (
              <EmptyState icon={Table2} title="No tables yet" action={create}>
                There is no table in the schema {schema}.
              </EmptyState>
            )
          }
        />
      </div>
      {open && open.what !== 'drop' && (
        <TablePanel
          projectRef={projectRef}
          schema={schema}
          what={open.what === 'new' ? { kind: 'create' } : { kind: open.what, id: open.table.id }}
          onClose={close}
          onDone={close}
        />
      )}
      {open?.what === 'drop' && (
        <DropTableDialog
          projectRef={projectRef}
          tableId={open.table.id}
          onClose={close}
          onDone={close}
        />
      )}
    </Page>
  )
}

type SchemaMenuProps = { projectRef: string; schema: string; onSchema: (schema: string) => unknown }

/** Makes, renames and deletes schemas. */
function SchemaMenu({ projectRef, schema, onSchema }: SchemaMenuProps) {
  const [open, setOpen] = useState<'new' | 'rename' | 'drop'>()
  const why = useDenials(useProject(projectRef))
  const denied = why(migrations.change)
  const kept = schema === 'public' ? 'Programs expect the schema public to be there.' : undefined
  const locked = denied ?? protection(schema) ?? kept
  const close = () => setOpen(undefined)
  return (
    <>
      <Menu label="Schema actions" trigger={<IconButton icon={Ellipsis} label="Schema actions" />}>
        <MenuItem icon={Plus} disabledReason={denied} onSelect={() => setOpen('new')}>
          New schema
        </MenuItem>
        <MenuItem icon={Pencil} disabledReason={locked} onSelect={() => setOpen('rename')}>
          Rename {schema}
        </MenuItem>
        <MenuItem icon={Trash2} danger disabledReason={locked} onSelect={() => setOpen('drop')}>
          Delete {schema}
        </MenuItem>
      </Menu>
      {open === 'new' && (
        <NewSchemaDialog projectRef={projectRef} onClose={close} onCreated={onSchema} />
      )}
      {open === 'rename' && (
        <RenameSchema
          projectRef={projectRef}
          schema={schema}
          onClose={close}
          onRenamed={onSchema}
        />
      )}
      {open === 'drop' && (
        <DropSchema
          projectRef={projectRef}
          schema={schema}
          onClose={close}
          onDropped={() => onSchema('public')}
        />
      )}
    </>
  )
}

type DropProps = {
  projectRef: string
  schema: string
  onClose: () => void
  onDropped: () => unknown
}

function DropSchema({ projectRef, schema, onClose, onDropped }: DropProps) {
  const [cascade, setCascade] = useState(false)
  return (
    <ReviewChange
      projectRef={projectRef}
      change={dropSchema(schema, cascade)}
      title={
        <>
          Delete schema <span className="mono">{schema}</span>
        </>
      }
      verb="Delete schema"
      danger
      typeName={schema}
      onClose={onClose}
      onAnswer={onDropped}
      changes={[...ofSchemas, ...ofTables]}
      onDone={() => {
        toast.success(`${schema} is deleted`)
        onClose()
      }}
    >
      <Checkbox
        label={
          <>
            With everything in it
            <span className="choice-help">
              Tables with all their rows, functions and types. This cannot be undone. Without this
              option, the database refuses unless the schema is empty.
            </span>
          </>
        }
        checked={cascade}
        onChange={({ target }) => setCascade(target.checked)}
      />
    </ReviewChange>
  )
}

type RenameSchemaProps = {
  projectRef: string
  schema: string
  onClose: () => void
  onRenamed: (name: string) => unknown
}

function RenameSchema({ projectRef, schema, onClose, onRenamed }: RenameSchemaProps) {
  const [name, setName] = useState(schema)
  const [change, setChange] = useState<Change>()
  const newName = name.trim()
  const problem = nameProblem(newName)
  const ready = !problem && newName !== schema
  return (
    <>
      <FormDialog
        title={
          <>
            Rename <span className="mono">{schema}</span>
          </>
        }
        verb="Rename schema"
        disabled={!ready}
        onSubmit={() => ready && setChange(renameSchema(schema, newName))}
        onClose={onClose}
      >
        <div className="form-stack">
          <TextField
            label="Name"
            mono
            autoComplete="off"
            error={problem}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
          <Alert variant="warning" title="Programs and functions that name the schema stop working">
            Views and foreign keys follow by themselves; SQL in functions and in your code does not.
          </Alert>
        </div>
      </FormDialog>
      <ReviewChange
        projectRef={projectRef}
        change={change}
        title="Rename schema"
        verb="Rename schema"
        onClose={() => setChange(undefined)}
        onAnswer={() => onRenamed(newName)}
        changes={[...ofSchemas, ...ofTables]}
        onDone={onClose}
      />
    </>
  )
}
