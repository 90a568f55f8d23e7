import { useQuery } from '@tanstack/react-query'
import { Plus, SearchX, Table2 } from 'lucide-react'
import { useState } from 'react'
import { migrations } from '#contract/database/migrations'
import type { EntityKind } from '#contract/database/pg-meta-shapes'
import type { ListedTable } from '#contract/database/table-shapes'
import { useDenials } from '../../../session/organization/permissions.ts'
import { protection } from '../../../modules/objects/protected-schemas.ts'
import { SchemaSelect } from '../../../modules/objects/SchemaSelect.tsx'
import { DropTableDialog, TablePanel } from '../../../modules/tables/table-panels.tsx'
import { tableListQuery } from '../../../modules/tables/table-queries.ts'
import { useProject } from '../../../session/project/project.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { Table } from '../../../ui/lists/Table.tsx'
import { useCopy } from '../../../ui/controls/CopyButton.tsx'
import { kindLabels, type TablesSearch } from './table-words.ts'
import { SchemaMenu } from './SchemaMenu.tsx'
import { tableColumns } from './table-columns.tsx'
import '../../../ui/lists/objects.css'
import './tables-page.css'

type Props = { projectRef: string; search: TablesSearch; onSearch: (search: TablesSearch) => void }

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
