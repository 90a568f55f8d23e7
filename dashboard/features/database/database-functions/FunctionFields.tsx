import { useQuery } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { pgMeta } from '#contract/database/pg-meta'
import { ident } from '#contract/ddl/sql-text'
import { isProtected } from '../../../modules/objects/protected-schemas.ts'
import { schemaList } from '../../../modules/objects/lists.ts'
import { typeOptions } from '../../../modules/tables/column-types.ts'
import { TypeField } from '../../../modules/tables/TypeField.tsx'
import { databaseQuery } from '../../../session/project/database.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { CodeField } from '../../../ui/controls/CodeField.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Radio, RadioGroup } from '../../../ui/controls/Radio.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import {
  draftArgument,
  draftSetting,
  type DraftArgument,
  type DraftSetting,
  type FunctionDraft,
} from './function-draft.ts'

type FieldsProps = {
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

const behaviors = [
  { value: 'VOLATILE', label: 'Volatile', detail: 'may change data, runs every time' },
  { value: 'STABLE', label: 'Stable', detail: 'reads only, same within one query' },
  { value: 'IMMUTABLE', label: 'Immutable', detail: 'always the same result' },
] as const

/** How a function runs: with whose rights, with which settings, and what the planner may assume. */
export function FunctionMore({ draft, problems, onDraft }: FieldsProps) {
  const change = (part: Partial<FunctionDraft>) => onDraft({ ...draft, ...part })
  const set = (id: string, part: Partial<DraftSetting>) =>
    change({ settings: draft.settings.map((one) => (one.id === id ? { ...one, ...part } : one)) })
  const openPath =
    draft.security_definer && !draft.settings.some(({ name }) => name.trim() === 'search_path')
  return (
    <>
      <RadioGroup label="Security">
        <Radio
          name="security"
          label="Invoker"
          help="It runs with its caller's privileges."
          checked={!draft.security_definer}
          onChange={() => change({ security_definer: false })}
        />
        <Radio
          name="security"
          label="Definer"
          help="It runs with its owner's privileges, no matter who calls it. The caller's row level security does not apply."
          checked={draft.security_definer}
          onChange={() => change({ security_definer: true })}
        />
      </RadioGroup>
      {openPath && (
        <Alert
          variant="warning"
          title="It has no search path of its own, so its caller decides what its names refer to"
        >
          Add the setting search_path with an empty value and write names with their schema.
        </Alert>
      )}
      {draft.kind === 'function' && (
        <>
          <SelectField
            label="Behavior"
            options={behaviors}
            value={draft.behavior}
            onChange={(behavior) => change({ behavior })}
          />
          <Checkbox
            label={
              <>
                Null in, null out
                <span className="choice-help">It is not called when an argument is NULL.</span>
              </>
            }
            checked={draft.strict}
            onChange={(event) => change({ strict: event.target.checked })}
          />
        </>
      )}
      <fieldset className="object-rows">
        <legend className="label">Settings while it runs</legend>
        {draft.settings.map((setting) => (
          <div className="object-row settings" key={setting.id}>
            <TextField
              label="Setting"
              mono
              autoComplete="off"
              error={problems[setting.id]}
              value={setting.name}
              onChange={(event) => set(setting.id, { name: event.target.value })}
            />
            <TextField
              label="Value"
              mono
              autoComplete="off"
              placeholder="empty"
              value={setting.value}
              onChange={(event) => set(setting.id, { value: event.target.value })}
            />
            <IconButton
              className="object-row-remove"
              size="form"
              icon={Trash2}
              label={`Remove setting ${setting.name}`}
              onClick={() =>
                change({ settings: draft.settings.filter(({ id }) => id !== setting.id) })
              }
            />
          </div>
        ))}
        <Button
          icon={Plus}
          onClick={() => change({ settings: [...draft.settings, draftSetting()] })}
        >
          Add setting
        </Button>
        <p className="help">
          With an empty search_path, no one can change what its names refer to. Write them with
          their schema, such as public.books.
        </p>
      </fieldset>
      <TextField
        label="Description"
        autoComplete="off"
        help="One line that tells others what it is for."
        value={draft.comment}
        onChange={(event) => change({ comment: event.target.value })}
      />
    </>
  )
}
