import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import {
  type RoleAccess,
  tablePrivileges,
  type TablePrivilege,
} from '#contract/ddl/tables/table-shape'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/controls/Button.tsx'
import { Checkbox } from '../../ui/controls/Checkbox.tsx'
import { TextField } from '../../ui/controls/TextField.tsx'
import { ColumnRow } from './ColumnRow.tsx'
import { typeOptions } from './column-types.ts'
import { draftColumn, type DraftColumn, type DraftTable } from './draft-table.ts'
import { typesQuery, enumsOf } from './table-queries.ts'
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

type AccessEditorProps = {
  access: readonly RoleAccess[]
  /** What the project gives a new table; missing for a table that is there already. */
  given?: readonly RoleAccess[] | undefined
  onChange: (access: RoleAccess[]) => void
}

const shown = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'] as const
const roleHelp: Record<string, string> = {
  anon: 'anybody with the public key',
  authenticated: 'signed-in users',
  service_role: 'your servers, bypassing row level security',
}
const words: Record<(typeof shown)[number], string> = {
  SELECT: 'Read',
  INSERT: 'Add',
  UPDATE: 'Change',
  DELETE: 'Delete',
}

const privateWords =
  'New tables of this project are private. To let apps reach this one, select a role here, which adds a GRANT to the SQL. You can change this in the Data API settings.'
const grantedWords =
  'New tables of this project are granted to every role at once. Clear a role to keep it out, which adds a REVOKE to the SQL. You can change this in the Data API settings.'
/** The roles that apps have; the role of servers keeps its access in either case. */
const isPrivate = (given: readonly RoleAccess[]) =>
  given.every(({ role, privileges }) => role === 'service_role' || privileges.length === 0)

/** What each of the API's roles may do with the table, before row level security looks at single rows. */
function AccessEditor({ access, given, onChange }: AccessEditorProps) {
  const set = (role: string, requested: TablePrivilege[]) => {
    // Rights that are not shown here, as TRUNCATE, go with the last of those that are.
    const privileges = shown.some((one) => requested.includes(one)) ? requested : []
    onChange(access.map((one) => (one.role === role ? { role, privileges } : one)))
  }
  return (
    <fieldset className="columns-editor">
      <legend className="section-title">API access</legend>
      {given && <p className="help">{isPrivate(given) ? privateWords : grantedWords}</p>}
      <div className="access-grid">
        {access.map(({ role, privileges }) => {
          const some = privileges.length > 0
          const all = shown.every((one) => privileges.includes(one))
          return (
            <div className="access-row" key={role}>
              <Checkbox
                label={
                  <>
                    <span className="mono">{role}</span>
                    <span className="choice-help">{roleHelp[role]}</span>
                  </>
                }
                checked={all}
                mixed={some && !all}
                onChange={({ target }) => set(role, target.checked ? [...tablePrivileges] : [])}
              />
              {shown.map((privilege) => (
                <Checkbox
                  key={privilege}
                  label={words[privilege]}
                  checked={privileges.includes(privilege)}
                  onChange={({ target }) =>
                    set(
                      role,
                      target.checked
                        ? [...privileges, privilege]
                        : privileges.filter((one) => one !== privilege),
                    )
                  }
                />
              ))}
            </div>
          )
        })}
      </div>
    </fieldset>
  )
}
