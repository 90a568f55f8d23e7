import { useQuery } from '@tanstack/react-query'
import { Plus, SearchX, SquareFunction } from 'lucide-react'
import { useState } from 'react'
import { databaseFunctions, type DatabaseFunction } from '#contract/database-functions'
import { useDenials } from '../../session/permissions.ts'
import { protection } from '../../session/protected-schemas.ts'
import type { ObjectSearch } from '../../session/schemas.ts'
import { SchemaSelect } from '../../session/SchemaSelect.tsx'
import { useProject } from '../../session/use-project.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { Table } from '../../ui/Table.tsx'
import { DropFunction } from './DropFunction.tsx'
import { functionColumns } from './function-columns.tsx'
import { lockOf } from './function-draft.ts'
import { FunctionPanel } from './FunctionPanel.tsx'
import { FunctionView } from './FunctionView.tsx'
import { functionsQuery } from './queries.ts'
import '../../ui/objects.css'

type Props = { projectRef: string; search: ObjectSearch; onSearch: (search: ObjectSearch) => void }

type Open =
  | { what: 'new' }
  | { what: 'edit' | 'duplicate' | 'view' | 'drop'; found: DatabaseFunction }
  | undefined

/** /project/{ref}/database/functions */
export function FunctionsPage({ projectRef, search, onSearch }: Props) {
  const { schema = 'public', find = '' } = search
  const query = useQuery(functionsQuery(projectRef, schema))
  const [open, setOpen] = useState<Open>()
  const why = useDenials(useProject(projectRef))
  const locked = protection(schema)
  const denied = why(databaseFunctions.create) ?? locked
  const lock = (found: DatabaseFunction) => lockOf(found, locked) ?? why(databaseFunctions.update)
  const wanted = find.trim().toLowerCase()
  const rows = query.data?.filter((one) =>
    `${one.name} ${one.argument_types} ${one.return_type} ${one.language}`
      .toLowerCase()
      .includes(wanted),
  )
  const close = () => setOpen(undefined)
  const create = (
    <Button
      variant="primary"
      icon={Plus}
      disabledReason={denied}
      onClick={() => setOpen({ what: 'new' })}
    >
      New function
    </Button>
  )
  return (
    <Page>
      <PageHead
        title="Functions"
        help="Code that runs in the database: called by SQL, by triggers, and by programs through the API."
        actions={
          <>
            <SearchField
              label="Find a function"
              value={find}
              onChange={(text) => onSearch({ ...search, find: text })}
            />
            {create}
          </>
        }
      />
      <div className="object-bar">
        <SchemaSelect
          projectRef={projectRef}
          schema={schema}
          onSchema={(next) => onSearch({ ...search, schema: next })}
        />
        {locked && <p className="help">{locked}</p>}
      </div>
      <div className="card">
        <Table
          label="Functions"
          columns={functionColumns({
            projectRef,
            lock,
            onOpen: (found) => setOpen({ what: lock(found) ? 'view' : 'edit', found }),
            onView: (found) => setOpen({ what: 'view', found }),
            onDuplicate: (found) => setOpen({ what: 'duplicate', found }),
            onDrop: (found) => setOpen({ what: 'drop', found }),
            noDuplicate: why(databaseFunctions.create),
          })}
          rows={rows}
          keyOf={({ id }) => String(id)}
          error={query.error}
          onRetry={() => void query.refetch()}
          empty={
            wanted ? (
              <EmptyState icon={SearchX} title="No function matches">
                Nothing in {schema} has “{find.trim()}” in its name, arguments or result.
              </EmptyState>
            ) : (
              <EmptyState icon={SquareFunction} title="No functions yet" action={create}>
                There is no function in the schema {schema}.
              </EmptyState>
            )
          }
        />
      </div>
      {open?.what === 'new' && (
        <FunctionPanel projectRef={projectRef} schema={schema} onClose={close} />
      )}
      {(open?.what === 'edit' || open?.what === 'duplicate') && (
        <FunctionPanel
          key={open.found.id}
          projectRef={projectRef}
          schema={schema}
          found={open.found}
          duplicate={open.what === 'duplicate'}
          onClose={close}
        />
      )}
      {open?.what === 'view' && (
        <FunctionView found={open.found} reason={lock(open.found)} onClose={close} />
      )}
      {open?.what === 'drop' && (
        <DropFunction projectRef={projectRef} found={open.found} onClose={close} />
      )}
    </Page>
  )
}
