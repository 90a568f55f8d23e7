import { useQuery } from '@tanstack/react-query'
import { Plus, SearchX, Shapes } from 'lucide-react'
import { useState } from 'react'
import { migrations } from '#contract/migrations'
import type { CustomType } from '#contract/database-types'
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
import { DropType } from './DropType.tsx'
import { EnumPanel } from './EnumPanel.tsx'
import { customTypesQuery } from './queries.ts'
import { typeColumns } from './type-columns.tsx'
import { partsOf } from './type-parts.ts'
import { TypeView } from './TypeView.tsx'
import '../../ui/objects.css'

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
    denied ?? (extension ? `It came with the extension ${extension}` : undefined)
  const wanted = find.trim().toLowerCase()
  const rows = query.data?.filter((type) =>
    `${type.name} ${type.kind} ${partsOf(type)}`.toLowerCase().includes(wanted),
  )
  const close = () => setOpen(undefined)
  const create = (
    <Button
      variant="primary"
      icon={Plus}
      disabledReason={denied}
      onClick={() => setOpen({ what: 'new' })}
    >
      New enum
    </Button>
  )
  return (
    <Page>
      <PageHead
        title="Types"
        help="Types of your own: enums with a fixed list of values, composite types, domains and ranges."
        actions={
          <>
            <SearchField
              label="Find a type"
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
          label="Types"
          columns={typeColumns({
            lock,
            onOpen: (type) =>
              setOpen({ what: type.kind === 'enum' && !lock(type) ? 'edit' : 'view', type }),
            onDrop: (type) => setOpen({ what: 'drop', type }),
          })}
          rows={rows}
          keyOf={({ id }) => String(id)}
          error={query.error}
          onRetry={() => void query.refetch()}
          empty={
            wanted ? (
              <EmptyState icon={SearchX} title="No type matches">
                Nothing in {schema} has “{find.trim()}” in its name or parts.
              </EmptyState>
            ) : (
              <EmptyState icon={Shapes} title="No types yet" action={create}>
                There is no type of your own in the schema {schema}.
              </EmptyState>
            )
          }
        />
      </div>
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
    </Page>
  )
}
