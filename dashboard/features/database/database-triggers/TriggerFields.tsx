import { useQuery } from '@tanstack/react-query'
import { activations, orientations, triggerEvents } from '#contract/database/database-triggers'
import { pgMeta } from '#contract/database/pg-meta'
import { EventChecks } from '../../../modules/objects/EventChecks.tsx'
import { TableField } from '../../../modules/objects/TableField.tsx'
import { triggerTablesQuery } from '../../../modules/objects/triggers.ts'
import { databaseQuery } from '../../../session/project/database.ts'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { SelectField } from '../../../ui/controls/SelectField.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { FunctionField } from './FunctionField.tsx'
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
