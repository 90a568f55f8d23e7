import { useQuery } from '@tanstack/react-query'
import { SquareFunction } from 'lucide-react'
import { useState } from 'react'
import { databaseFunctions, type DatabaseFunction } from '#contract/database/database-functions'
import { CreateButton, ObjectPage } from '../../../modules/objects/ObjectPage.tsx'
import { ObjectTable } from '../../../modules/objects/ObjectTable.tsx'
import { useDenials } from '../../../session/organization/permissions.ts'
import { protection } from '../../../modules/objects/protected-schemas.ts'
import type { ObjectSearch } from '../../../modules/objects/schemas.ts'
import { useProject } from '../../../session/project/use-project.ts'
import { DropFunction } from './DropFunction.tsx'
import { functionColumns } from './function-columns.tsx'
import { lockOf } from './function-draft.ts'
import { FunctionEditor } from './FunctionEditor.tsx'
import { FunctionView } from './FunctionView.tsx'
import { functionsQuery } from './queries.ts'

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
  const close = () => setOpen(undefined)
  const create = (
    <CreateButton label="New function" denied={denied} onCreate={() => setOpen({ what: 'new' })} />
  )
  return (
    <ObjectPage
      projectRef={projectRef}
      title="Functions"
      help="Code that runs in the database: called by SQL, by triggers, and by programs through the API."
      one="function"
      search={search}
      onSearch={onSearch}
      create={create}
    >
      <ObjectTable
        label="Functions"
        one="function"
        columns={functionColumns({
          projectRef,
          lock,
          onOpen: (found) => setOpen({ what: lock(found) ? 'view' : 'edit', found }),
          onView: (found) => setOpen({ what: 'view', found }),
          onDuplicate: (found) => setOpen({ what: 'duplicate', found }),
          onDrop: (found) => setOpen({ what: 'drop', found }),
          noDuplicate: why(databaseFunctions.create),
        })}
        rows={query.data}
        keyOf={({ id }) => String(id)}
        error={query.error}
        onRetry={() => void query.refetch()}
        find={find}
        textOf={({ name, argument_types, return_type, language }) =>
          `${name} ${argument_types} ${return_type} ${language}`
        }
        searched="its name, arguments or result"
        schema={schema}
        icon={SquareFunction}
        none={`There is no function in the schema ${schema}.`}
        create={create}
      />
      {open?.what === 'new' && (
        <FunctionEditor projectRef={projectRef} schema={schema} onClose={close} />
      )}
      {(open?.what === 'edit' || open?.what === 'duplicate') && (
        <FunctionEditor
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
    </ObjectPage>
  )
}
