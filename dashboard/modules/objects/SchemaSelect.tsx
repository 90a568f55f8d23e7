import { useQuery } from '@tanstack/react-query'
import { Select } from '../../ui/controls/Select.tsx'
import { isProtected } from './protected-schemas.ts'
import { schemaList } from './lists.ts'

type Props = { projectRef: string; schema: string; onSchema: (schema: string) => void }

/** Chooses the schema whose objects are listed: people's own first, then those of the platform. */
export function SchemaSelect({ projectRef, schema, onSchema }: Props) {
  const { data: schemas = [] } = useQuery(schemaList(projectRef))
  const names = schemas.map(({ name }) => name)
  // One that was named in the address is shown, there or not.
  const all = names.includes(schema) ? names : [schema, ...names]
  const own = all.filter((name) => !isProtected(name))
  const ofPlatform = all.filter(isProtected)
  return (
    <div className="schema-select">
      <Select
        label="Schema"
        size="tool"
        options={[
          ...own.map((name) => ({ value: name, label: name })),
          ...ofPlatform.map((name) => ({ value: name, label: name, group: 'Of the platform' })),
        ]}
        value={schema}
        onChange={onSchema}
      />
    </div>
  )
}
