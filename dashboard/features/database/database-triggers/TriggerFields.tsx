import { useQuery } from '@tanstack/react-query'
import { activations, orientations, triggerEvents } from '#contract/database/database-triggers'
import { pgMeta } from '#contract/database/pg-meta'
import { databaseFunctions } from '#contract/database/database-functions'
import { qualified } from '#contract/ddl/sql-text'
import {
  TableField,
  EventChecks,
  triggerTablesQuery,
} from '../../../modules/objects/TriggerTarget.tsx'
import { databaseQuery } from '../../../session/project/database.ts'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import {
  constraintKindOf,
  constraintKinds,
  constraintOf,
  type Problems,
  type TriggerDraft,
} from './trigger-draft.ts'

export type FieldsProps = {
  projectRef: string
  draft: TriggerDraft
  /** Empty until the form was sent once. */
  problems: Problems
  onDraft: (next: TriggerDraft) => void
}

const told = { BEFORE: 'Before', AFTER: 'After', 'INSTEAD OF': 'Instead of (views)' } as const
/** Postgres knows no triggers of materialized views. */
const tableKinds = ['table', 'partitioned_table', 'view', 'foreign_table'] as const
const each = { ROW: 'Row', STATEMENT: 'Statement' } as const

/** What a trigger is called, what it waits for, and what it calls. */
export function TriggerFields({ projectRef, draft, problems, onDraft }: FieldsProps) {
  const change = (part: Partial<TriggerDraft>) => onDraft({ ...draft, ...part })
  return (
    <>
      <TextField
        label="Name"
        mono
        autoComplete="off"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the panel was opened to name one
        autoFocus={draft.name === ''}
        error={problems.name}
        value={draft.name}
        onChange={(event) => change({ name: event.target.value })}
      />
      <div className="field-pair">
        <TableField
          projectRef={projectRef}
          schema={draft.schema}
          table={draft.table}
          kinds={tableKinds}
          error={problems.table}
          onTable={(table) => change({ table, columns: [] })}
        />
        <FunctionField
          projectRef={projectRef}
          returns="trigger"
          schema={draft.function_schema}
          name={draft.function_name}
          error={problems.function}
          onFunction={(function_schema, function_name) =>
            change({ function_schema, function_name })
          }
        />
      </div>
      <div className="field-pair">
        <SelectField
          label="When"
          options={activations.map((value) => ({ value, label: told[value] }))}
          value={draft.activation}
          onChange={(activation) => change({ activation })}
        />
        <SelectField
          label="For each"
          options={orientations.map((value) => ({ value, label: each[value] }))}
          error={problems.orientation}
          value={draft.orientation}
          onChange={(orientation) => change({ orientation })}
        />
      </div>
      <SelectField
        label="Constraint"
        options={constraintKinds}
        error={problems.constraint}
        help="A constraint trigger can wait until the transaction ends, as foreign keys can."
        value={constraintKindOf(draft.constraint)}
        onChange={(kind) => change({ constraint: constraintOf(kind, draft.constraint) })}
      />
      <EventChecks
        events={triggerEvents}
        chosen={draft.events}
        error={problems.events}
        onChange={(chosen) => change({ events: chosen })}
      />
      {draft.events.includes('UPDATE') && draft.table !== '' && (
        <UpdateColumns projectRef={projectRef} draft={draft} onDraft={onDraft} />
      )}
    </>
  )
}

/** Which columns an UPDATE must name. */
function UpdateColumns({ projectRef, draft, onDraft }: Omit<FieldsProps, 'problems'>) {
  const { data: found } = useQuery(
    triggerTablesQuery(projectRef, draft.schema, { search: draft.table }),
  )
  const id = found?.entities.find(({ name }) => name === draft.table)?.id
  const { data: table } = useQuery({
    ...databaseQuery(pgMeta.entity, { ref: projectRef, id: id ?? 0 }, 2_000),
    enabled: id !== undefined,
  })
  if (!table) return null
  return (
    <fieldset className="field object-rows">
      <legend className="label">Only when one of these columns is updated</legend>
      <div className="object-checks">
        {table.columns.map(({ name }) => (
          <Checkbox
            key={name}
            label={<span className="mono">{name}</span>}
            checked={draft.columns.includes(name)}
            onChange={({ target }) =>
              onDraft({
                ...draft,
                columns: target.checked
                  ? [...draft.columns, name]
                  : draft.columns.filter((one) => one !== name),
              })
            }
          />
        ))}
      </div>
      <p className="help">None selected: fires on every update.</p>
    </fieldset>
  )
}

/** The functions that a trigger of rows (`trigger`) or of commands (`event_trigger`) can call. */
const callableQuery = (ref: string, return_type: Props['returns']) =>
  databaseQuery(databaseFunctions.list, { ref, return_type, limit: 10_000 }, 2_000)

type Props = {
  projectRef: string
  returns: 'trigger' | 'event_trigger'
  schema: string
  name: string
  error: string | undefined
  onFunction: (schema: string, name: string) => void
}

/** Chooses among the functions that a trigger can call. */
export function FunctionField({ projectRef, returns, schema, name, error, onFunction }: Props) {
  const { data } = useQuery(callableQuery(projectRef, returns))
  const functions = data ?? []
  const options = functions.map((one) => ({
    value: qualified(one.schema, one.name),
    label: one.name,
    detail: one.schema,
  }))
  const value = name === '' ? undefined : qualified(schema, name)
  // One of a schema that is not listed is kept and shown.
  const all =
    value === undefined || options.some((option) => option.value === value)
      ? options
      : [{ value, label: name, detail: schema }, ...options]
  return (
    <SelectField
      label="Function"
      options={all}
      value={value}
      error={error}
      help={
        data?.length === 0
          ? `No function returns ${returns} yet. Create one on the Functions page.`
          : undefined
      }
      onChange={(chosen) => {
        const found = functions.find((one) => qualified(one.schema, one.name) === chosen)
        if (found) onFunction(found.schema, found.name)
      }}
    />
  )
}
