import { useQuery } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { pgMeta } from '#contract/database/pg-meta'
import { ident } from '#contract/ddl/sql-text'
import { isProtected } from '../../../modules/objects/protected-schemas.ts'
import { schemaList } from '../../../modules/objects/lists.ts'
import { typeOptions } from '../../../modules/tables/column-types.ts'
import { TypeField } from '../../../modules/tables/TypeField.tsx'
import { databaseQuery } from '../../../session/project/database.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { CodeField } from '../../../ui/controls/CodeField.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { draftArgument, type DraftArgument, type FunctionDraft } from './function-draft.ts'

export type FieldsProps = {
  projectRef: string
  draft: FunctionDraft
  /** By field or row; empty until the form was sent once. */
  problems: Record<string, string>
  onDraft: (next: FunctionDraft) => void
}

const argumentWords = (args: readonly DraftArgument[]) =>
  args
    .filter(({ name }) => name !== '')
    .map(({ name, type }) => ({ label: name, insert: ident(name), about: type }))

const languages = ['plpgsql', 'sql']

/** What a function is called, takes, gives and does. */
export function FunctionFields({
  projectRef,
  draft,
  problems,
  onDraft,
  fixedKind,
}: FieldsProps & { fixedKind: boolean }) {
  const { data: schemas = [] } = useQuery(schemaList(projectRef))
  const change = (part: Partial<FunctionDraft>) => onDraft({ ...draft, ...part })
  const own = schemas.map(({ name }) => name).filter((name) => !isProtected(name))
  const offered = own.includes(draft.schema) ? own : [draft.schema, ...own]
  const spoken = languages.includes(draft.language) ? languages : [...languages, draft.language]
  const isFunction = draft.kind === 'function'
  return (
    <>
      {!fixedKind && (
        <div className="field">
          <span className="label">Kind</span>
          <span>
            <Segmented
              label="Kind"
              options={[
                { value: 'function', label: 'Function' },
                { value: 'procedure', label: 'Procedure' },
              ]}
              value={draft.kind}
              onChange={(kind) => change({ kind })}
            />
          </span>
          <p className="help">
            A function returns a result. A procedure returns none and can commit while it runs.
          </p>
        </div>
      )}
      <div className="field-pair">
        <SelectField
          label="Schema"
          options={offered.map((name) => ({ value: name, label: name }))}
          value={draft.schema}
          onChange={(schema) => change({ schema })}
        />
        <TextField
          label="Name"
          mono
          autoComplete="off"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the panel was opened to name one
          autoFocus={draft.name === ''}
          error={problems['name']}
          value={draft.name}
          onChange={(event) => change({ name: event.target.value })}
        />
      </div>
      <ArgumentRows
        projectRef={projectRef}
        args={draft.args}
        problems={problems}
        onArgs={(args) => change({ args })}
      />
      <div className="field-pair">
        {isFunction && (
          <TextField
            label="Returns"
            mono
            autoComplete="off"
            help="A type, void, trigger, setof a type, or table (name type, ...)."
            error={problems['return_type']}
            value={draft.return_type}
            onChange={(event) => change({ return_type: event.target.value })}
          />
        )}
        <SelectField
          label="Language"
          options={spoken.map((name) => ({ value: name, label: name }))}
          value={draft.language}
          onChange={(language) => change({ language })}
        />
      </div>
      <CodeField
        label="Body"
        isProgram
        lines={[12, 28]}
        words={() => Promise.resolve(argumentWords(draft.args))}
        help={
          draft.body === 'standard'
            ? 'SQL itself, starting with BEGIN ATOMIC or RETURN. Press Ctrl+M to let Tab leave it.'
            : 'Without quotes or dollar signs around it. Press Ctrl+M to let Tab leave it.'
        }
        error={problems['definition']}
        value={draft.definition}
        onValue={(definition) => change({ definition })}
      />
    </>
  )
}

const typesQuery = (ref: string) =>
  databaseQuery(pgMeta.types, { ref, include_table_types: 'true' })

type ArgumentProps = {
  projectRef: string
  args: readonly DraftArgument[]
  problems: Record<string, string>
  onArgs: (args: DraftArgument[]) => void
}

const modes = [
  { value: 'in', label: 'In' },
  { value: 'out', label: 'Out' },
  { value: 'inout', label: 'In and out' },
  { value: 'variadic', label: 'Variadic' },
] as const

/** What is given to a function, in order. */
function ArgumentRows({ projectRef, args, problems, onArgs }: ArgumentProps) {
  const { data: types = [] } = useQuery(typesQuery(projectRef))
  const options = typeOptions(types)
  const change = (id: string, part: Partial<DraftArgument>) =>
    onArgs(args.map((arg) => (arg.id === id ? { ...arg, ...part } : arg)))
  return (
    <fieldset className="object-rows">
      <legend className="label">Arguments</legend>
      {args.map((arg, index) => (
        <div className="object-row args" key={arg.id}>
          <SelectField
            label="Mode"
            options={modes}
            value={arg.mode}
            onChange={(mode) => change(arg.id, { mode })}
          />
          <TextField
            label="Name"
            mono
            autoComplete="off"
            error={problems[arg.id]}
            value={arg.name}
            onChange={(event) => change(arg.id, { name: event.target.value })}
          />
          <TypeField
            types={options}
            value={arg.type}
            isArray={false}
            onChange={(type) => change(arg.id, { type })}
          />
          <TextField
            label="Default"
            mono
            autoComplete="off"
            placeholder="none"
            value={arg.default_value}
            onChange={(event) => change(arg.id, { default_value: event.target.value })}
          />
          <IconButton
            className="object-row-remove"
            size="form"
            icon={Trash2}
            label={`Remove argument ${arg.name || index + 1}`}
            onClick={() => onArgs(args.filter(({ id }) => id !== arg.id))}
          />
        </div>
      ))}
      <Button icon={Plus} onClick={() => onArgs([...args, draftArgument()])}>
        Add argument
      </Button>
    </fieldset>
  )
}
