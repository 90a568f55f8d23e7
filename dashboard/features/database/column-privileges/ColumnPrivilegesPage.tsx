import { useQuery, keepPreviousData } from '@tanstack/react-query'
import { Columns3, ChevronsUpDown } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { protection } from '../../../modules/objects/protected-schemas.ts'
import { SchemaSelect } from '../../../modules/objects/SchemaSelect.tsx'
import { Callout } from '../../../ui/Callout.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { OptionList } from '../../../ui/lists/OptionList.tsx'
import { Popover } from '../../../ui/floats/Popover.tsx'
import { accessOf } from './access-of.ts'
import { AccessGrid } from './AccessGrid.tsx'
import { columnPrivilegesQuery, rolesQuery, tablePrivilegesQuery, tablesQuery } from './queries.ts'
import type { PrivilegeSearch } from './search.ts'
import '../../../ui/lists/objects.css'
import './column-privileges.css'

type Props = {
  projectRef: string
  search: PrivilegeSearch
  onSearch: (search: PrivilegeSearch) => void
}

/** /project/{ref}/database/column-privileges: which columns of a table a role may read and write. */
export function ColumnPrivilegesPage({ projectRef, search, onSearch }: Props) {
  const { schema = 'public', role = 'authenticated' } = search
  const tables = useQuery(tablesQuery(projectRef, schema, ''))
  const roles = useQuery(rolesQuery(projectRef))
  const entities = tables.data?.entities
  const id = search.table ?? entities?.[0]?.id
  const chosen = useQuery({
    ...tablePrivilegesQuery(projectRef, id ?? 0),
    enabled: id !== undefined,
  })
  return (
    <Page>
      <PageHead
        title="Column privileges"
        help="Choose which columns of a table a role can read, insert and update."
      />
      <Callout type="caution">
        Column privileges are not captured in migrations. This applies to tools that compare two
        databases. Each change that you apply here is recorded as its own migration.
      </Callout>
      <div className="object-bar privilege-bar">
        <SchemaSelect
          projectRef={projectRef}
          schema={schema}
          onSchema={(next) => onSearch({ role, schema: next })}
        />
        <TablePicker
          projectRef={projectRef}
          schema={schema}
          name={id === undefined ? undefined : chosen.data?.[0]?.name}
          onTable={(table) => onSearch({ schema, role, table })}
        />
        <div className="schema-select">
          <Select
            label="Role"
            size="tool"
            options={roleNames(role, roles.data).map((name) => ({ value: name, label: name }))}
            value={role}
            onChange={(next) => onSearch({ ...search, role: next })}
          />
        </div>
        {protection(schema) && <p className="help">{protection(schema)}</p>}
      </div>
      {tables.error && (
        <ErrorNote what="Tables" error={tables.error} onRetry={() => void tables.refetch()} />
      )}
      {entities?.length === 0 && (
        <div className="card">
          <EmptyState icon={Columns3} title="No tables yet">
            The schema {schema} has nothing with columns.
          </EmptyState>
        </div>
      )}
      {id !== undefined && <OfTable projectRef={projectRef} id={id} role={role} />}
    </Page>
  )
}

/** One that was named in the address is shown, there or not. */
function roleNames(role: string, found: readonly { name: string }[] | undefined): string[] {
  const names = ['anon', 'authenticated', 'service_role', ...(found ?? []).map(({ name }) => name)]
  return [...new Set([...names, role])]
}

function OfTable({ projectRef, id, role }: { projectRef: string; id: number; role: string }) {
  const table = useQuery(tablePrivilegesQuery(projectRef, id))
  const columns = useQuery(columnPrivilegesQuery(projectRef, id))
  const error = table.error ?? columns.error
  const retry = () => {
    void table.refetch()
    void columns.refetch()
  }
  if (error) return <ErrorNote what="Privileges" error={error} onRetry={retry} />
  const [found] = table.data ?? []
  if (!table.data || !columns.data)
    return (
      <div className="card privilege-wait" aria-busy>
        <Skeleton width="40%" />
        <Skeleton width="60%" />
        <Skeleton width="50%" />
      </div>
    )
  if (!found)
    return (
      <div className="card">
        <EmptyState icon={Columns3} title="This table is gone">
          Choose another one above.
        </EmptyState>
      </div>
    )
  return (
    <AccessGrid
      // What was ticked for one table and role is not for another, nor for what somebody has changed meanwhile.
      key={JSON.stringify([id, role, accessOf(role, found, columns.data)])}
      projectRef={projectRef}
      table={found}
      columns={columns.data}
      role={role}
    />
  )
}

type TablePickerProps = {
  projectRef: string
  schema: string
  /** Undefined while nobody knows it. */
  name: string | undefined
  onTable: (id: number) => void
}

/** Chooses a table or view of a schema. In a schema of thousands the server looks for what is typed. */
function TablePicker({ projectRef, schema, name, onTable }: TablePickerProps) {
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed.trim())
  const { data } = useQuery({
    ...tablesQuery(projectRef, schema, open ? search : ''),
    placeholderData: keepPreviousData,
  })
  return (
    <div className="schema-select">
      <Popover
        fit
        label="Table"
        open={open}
        onOpenChange={setOpen}
        trigger={
          <button
            type="button"
            className="in sel"
            aria-haspopup="listbox"
            aria-label={`Table: ${name ?? 'Choose'}`}
          >
            <span className="ell mono">{name ?? 'Choose a table'}</span>
            <Icon of={ChevronsUpDown} size="xs" />
          </button>
        }
      >
        <OptionList
          label="Tables"
          search="Find a table"
          onType={setTyped}
          options={(data?.entities ?? []).map((one) => ({
            value: String(one.id),
            label: one.name,
          }))}
          value={undefined}
          onSelect={(id) => {
            setOpen(false)
            setTyped('')
            onTable(Number(id))
          }}
        />
      </Popover>
    </div>
  )
}
