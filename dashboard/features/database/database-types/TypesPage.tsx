import { useQuery } from '@tanstack/react-query'
import { Shapes } from 'lucide-react'
import { useState } from 'react'
import { migrations } from '#contract/database/migrations'
import type { CustomType } from '#contract/database/database-types'
import { CreateButton, ObjectPage } from '../../../modules/objects/ObjectPage.tsx'
import { ObjectTable } from '../../../modules/objects/ObjectTable.tsx'
import { useDenials } from '../../../session/organization/permissions.ts'
import { protection } from '../../../modules/objects/protected-schemas.ts'
import type { ObjectSearch } from '../../../modules/objects/schemas.ts'
import { useProject } from '../../../session/project/use-project.ts'
import { DropType } from './DropType.tsx'
import { EnumPanel } from './EnumPanel.tsx'
import { customTypesQuery } from './queries.ts'
import { typeColumns } from './type-columns.tsx'
import { partsOf } from './type-parts.ts'
import { TypeView } from './TypeView.tsx'

type Props = { projectRef: string; search: ObjectSearch; onSearch: (search: ObjectSearch) => void }

type Open = { what: 'new' } | { what: 'edit' | 'view' | 'drop'; type: CustomType } | undefined

/** /project/{ref}/database/types */
export function TypesPage({ projectRef, search, onSearch }: Props) {
  const { schema = 'public', find = '' } = search
  const query = useQuery(customTypesQuery(projectRef, schema))
  const [open, setOpen] = useState<Open>()
  const why = useDenials(useProject(projectRef))
  const locked = protection(schema)
  const denied = why(migrations.change) ?? locked
  const lock = ({ extension }: CustomType) =>
    denied ?? (extension ? `It belongs to the extension ${extension}` : undefined)
  const close = () => setOpen(undefined)
  const create = (
    <CreateButton label="New enum" denied={denied} onCreate={() => setOpen({ what: 'new' })} />
  )
  return (
    <ObjectPage
      projectRef={projectRef}
      title="Types"
      help="Your own types: enums with a fixed list of values, composite types, domains and ranges."
      one="type"
      search={search}
      onSearch={onSearch}
      create={create}
    >
      <ObjectTable
        label="Types"
        one="type"
        columns={typeColumns({
          lock,
          onOpen: (type) =>
            setOpen({ what: type.kind === 'enum' && !lock(type) ? 'edit' : 'view', type }),
          onDrop: (type) => setOpen({ what: 'drop', type }),
        })}
        rows={query.data}
        keyOf={({ id }) => String(id)}
        error={query.error}
        onRetry={() => void query.refetch()}
        find={find}
        textOf={(type) => `${type.name} ${type.kind} ${partsOf(type)}`}
        searched="its name or parts"
        schema={schema}
        icon={Shapes}
        none={`The schema ${schema} has no types of your own.`}
        create={create}
      />
      {open?.what === 'new' && (
        <EnumPanel projectRef={projectRef} schema={schema} onClose={close} />
      )}
      {open?.what === 'edit' && (
        <EnumPanel projectRef={projectRef} schema={schema} type={open.type} onClose={close} />
      )}
      {open?.what === 'view' && (
        <TypeView type={open.type} reason={lock(open.type)} onClose={close} />
      )}
      {open?.what === 'drop' && (
        <DropType projectRef={projectRef} type={open.type} onClose={close} />
      )}
    </ObjectPage>
  )
}
