import { Plus } from 'lucide-react'
import { Button } from '../../ui/controls/Button.tsx'
import { draftKey, type DraftKey, type DraftTable } from './draft-table.ts'
import { KeyFields } from './KeyFields.tsx'

type Props = {
  projectRef: string
  table: DraftTable
  problems: Record<string, string>
  onChange: (keys: DraftKey[]) => void
  /** Only keys with this column in them. */
  of?: string
}

/** What this table points to in other tables, or in itself. */
export function KeysEditor({ projectRef, table, problems, onChange, of }: Props) {
  const { keys, columns, schema } = table
  const shown = of ? keys.filter(({ pairs }) => pairs.some(({ column }) => column === of)) : keys
  return (
    <fieldset className="columns-editor">
      <legend className="section-title">Foreign keys</legend>
      {shown.map((key) => (
        <KeyFields
          key={key.id}
          projectRef={projectRef}
          draft={key}
          columns={columns}
          itself={table.was}
          home={schema}
          problem={problems[key.id]}
          onChange={(next) =>
            onChange(keys.map((one) => (one === key ? { ...one, ...next } : one)))
          }
          onRemove={() => onChange(keys.filter((one) => one !== key))}
        />
      ))}
      <Button
        icon={Plus}
        disabledReason={columns.length === 0 && 'Add a column first'}
        onClick={() => onChange([...keys, draftKey(schema, of ?? '')])}
      >
        Add foreign key
      </Button>
    </fieldset>
  )
}
