import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import type { RoleAccess } from '#contract/ddl/tables/table-shape'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/controls/Button.tsx'
import { Checkbox } from '../../ui/controls/Checkbox.tsx'
import { TextField } from '../../ui/controls/TextField.tsx'
import { AccessEditor } from './AccessEditor.tsx'
import { ColumnRow } from './ColumnRow.tsx'
import { typeOptions } from './column-types.ts'
import { draftColumn, type DraftColumn, type DraftTable } from './draft-table.ts'
import { typesQuery } from './table-queries.ts'
import { enumsOf } from './enums-of.ts'
import { KeysEditor } from './KeysEditor.tsx'
import { fromTemplate, templates } from './templates.ts'

type Props = {
  projectRef: string
  draft: DraftTable
  isNew: boolean
  /** What a new table is granted unless its form says otherwise. */
  given: readonly RoleAccess[] | undefined
  problems: Record<string, string>
  onChange: (draft: DraftTable) => void
}

/** Everything about a table in one form. */
export function TableForm({ projectRef, draft, isNew, given, problems, onChange }: Props) {
  const set = (next: Partial<DraftTable>) => onChange({ ...draft, ...next })
  const reached = draft.access.some(({ privileges }) => privileges.length > 0)
  return (
    <>
      {isNew && (
        <div className="table-templates">
          <span className="muted">Start from</span>
          {templates.map((template) => (
            <Button
              key={template.name}
              variant="ghost"
              title={template.help}
              onClick={() => onChange(fromTemplate(draft, template))}
            >
              <span className="mono">{template.name}</span>
            </Button>
          ))}
        </div>
      )}
      <TextField
        label="Name"
        mono
        autoComplete="off"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the panel was opened to name a table
        autoFocus={isNew}
        error={problems['name']}
        value={draft.name}
        onChange={({ target }) => set({ name: target.value })}
      />
      <TextField
        label="Description"
        autoComplete="off"
        help="A short note for others who work on this project."
        value={draft.comment}
        onChange={({ target }) => set({ comment: target.value })}
      />
      <Checkbox
        label={
          <>
            Row level security
            <span className="choice-help">
              No one can read or write through the API until a policy allows it.
            </span>
          </>
        }
        checked={draft.rls}
        onChange={({ target }) => set({ rls: target.checked })}
      />
      {!draft.rls && reached && (
        <Alert
          variant="warning"
          title="Anyone with the project's public key can read and change every row"
        >
          Keep row level security on unless the whole table is meant to be public.
        </Alert>
      )}
      {draft.realtime !== null && (
        <Checkbox
          label={
            <>
              Realtime
              <span className="choice-help">
                Clients can listen to rows that are added, changed and deleted.
              </span>
            </>
          }
          checked={draft.realtime}
          onChange={({ target }) => set({ realtime: target.checked })}
        />
      )}
      <ColumnsEditor
        projectRef={projectRef}
        columns={draft.columns}
        problems={problems}
        ordered={isNew}
        onChange={(columns) => set({ columns })}
      />
      <KeysEditor
        projectRef={projectRef}
        table={draft}
        problems={problems}
        onChange={(keys) => set({ keys })}
      />
      {draft.access.length > 0 && (
        <AccessEditor access={draft.access} given={given} onChange={(access) => set({ access })} />
      )}
    </>
  )
}

type ColumnsEditorProps = {
  projectRef: string
  columns: readonly DraftColumn[]
  problems: Record<string, string>
  /** Only a new table has an order to choose. */
  ordered: boolean
  onChange: (columns: DraftColumn[]) => void
}

function ColumnsEditor({ projectRef, columns, problems, ordered, onChange }: ColumnsEditorProps) {
  const { data: types = [] } = useQuery(typesQuery(projectRef))
  const options = typeOptions(types)
  const alone = columns.filter(({ key }) => key).length === 1
  const place = (id: string, to: number) => {
    const moved = columns.find((column) => column.id === id)
    if (!moved || to < 0 || to >= columns.length) return
    onChange(columns.filter((column) => column !== moved).toSpliced(to, 0, moved))
  }
  return (
    <fieldset className="columns-editor">
      <legend className="section-title">Columns</legend>
      {columns.map((column, at) => (
        <ColumnRow
          key={column.id}
          column={column}
          types={options}
          enums={enumsOf(types, column.type)}
          problem={problems[column.id]}
          alone={alone}
          onChange={(next) =>
            onChange(columns.map((one) => (one === column ? { ...one, ...next } : one)))
          }
          onRemove={() => onChange(columns.filter((one) => one !== column))}
          onPlace={ordered ? (id) => place(id, at) : undefined}
          onStep={ordered ? (step) => place(column.id, at + step) : undefined}
        />
      ))}
      <Button icon={Plus} onClick={() => onChange([...columns, draftColumn()])}>
        Add column
      </Button>
    </fieldset>
  )
}
