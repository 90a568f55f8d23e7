import { Plus, Trash2, Zap } from 'lucide-react'
import { useState } from 'react'
import { databaseTriggers, type DatabaseTrigger } from '#contract/database/database-triggers'
import { sqlOf } from '#contract/ddl/change'
import { changeTrigger, createTrigger, dropTrigger, type EnabledMode } from '#contract/ddl/triggers'
import { queryClient } from '../../../api/client.ts'
import { DeleteTitle } from '../../../modules/objects/list/DropObject.tsx'
import { columnWords } from '../../../modules/objects/column-words.ts'
import { triggersQuery } from '../../../modules/objects/lists.ts'
import {
  changeColumn,
  codeColumn,
  nameColumn,
} from '../../../modules/objects/list/object-columns.tsx'
import {
  byText,
  emptyList,
  type Place,
  type Resource,
  type Texts,
} from '../../../modules/objects/list/resource.tsx'
import { ObjectForm, panelTitle, panelVerb } from '../../../modules/objects/ObjectForm.tsx'
import { modeNames, modes, triggerTablesQuery } from '../../../modules/objects/TriggerTarget.tsx'
import { inlineEditor, SqlPanel } from '../../../modules/sql/SqlPanel.tsx'
import { usePreview } from '../../../session/telemetry/previews.ts'
import type { CodeWord } from '../../../ui/code/offer-words.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { CodeField } from '../../../ui/controls/CodeField.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import type { Column } from '../../../ui/lists/Table.tsx'
import { Tabs } from '../../../ui/navigation/Tabs.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import {
  draftArg,
  draftOf,
  momentOf,
  newTrigger,
  problemsOf,
  specOf,
  type TriggerDraft,
} from './trigger-draft.ts'
import { TriggerFields, type FieldsProps } from './TriggerFields.tsx'

/** What tells of triggers, and is old when one has changed. */
const ofTriggers = [databaseTriggers.list]

type Props = {
  projectRef: string
  schema: string
  /** The one that is changed. */
  found?: DatabaseTrigger
  onClose: () => void
}

/** A trigger in the form, or as SQL for whoever tries the preview. */
function TriggerEditor(props: Props) {
  return usePreview(inlineEditor) ? <TriggerSql {...props} /> : <TriggerForm {...props} />
}

/** Makes a trigger, or changes one. */
function TriggerForm({ projectRef, schema, found, onClose }: Props) {
  const [draft, setDraft] = useState(() => (found ? draftOf(found) : newTrigger(schema)))
  const spec = specOf(draft)
  const change = found ? changeTrigger(found, spec) : createTrigger(spec)
  return (
    <ObjectForm
      projectRef={projectRef}
      size="xlarge"
      title={panelTitle('trigger', found?.name)}
      review="Review SQL"
      asked={
        change && {
          change,
          verb: panelVerb('trigger', found !== undefined),
          done: `${spec.name} is ${found ? 'changed' : 'created'}`,
        }
      }
      problems={problemsOf(draft)}
      forgets={ofTriggers}
      onClose={onClose}
    >
      {(shown) => (
        <>
          <TriggerFields {...{ projectRef, draft, problems: shown, onDraft: setDraft }} />
          <TriggerMore {...{ projectRef, draft, problems: shown, onDraft: setDraft }} />
        </>
      )}
    </ObjectForm>
  )
}

/** The frame of a new trigger; table and function are still to be named. */
const frame = (schema: string) => `create trigger new_trigger
after insert on ${schema}.table_name
for each row
execute function ${schema}.function_name();`

function TriggerSql({ projectRef, schema, found, onClose }: Props) {
  return (
    <SqlPanel
      projectRef={projectRef}
      kind="trigger"
      name={found?.name}
      start={
        found
          ? sqlOf([
              ...dropTrigger(found).statements,
              ...createTrigger(specOf(draftOf(found))).statements,
            ])
          : frame(schema)
      }
      done={`The trigger is ${found ? 'changed' : 'created'}`}
      forgets={ofTriggers}
      onClose={onClose}
    />
  )
}

/** The row as it was and is, and its columns. */
async function rowWords(ref: string, { schema, table }: TriggerDraft): Promise<CodeWord[]> {
  const rows = ['new', 'old'].map((name) => ({ label: name, insert: name, about: 'row' }))
  if (table === '') return rows
  const { entities } = await queryClient.ensureQueryData(
    triggerTablesQuery(ref, schema, { search: table }),
  )
  const id = entities.find(({ name }) => name === table)?.id
  return id === undefined ? rows : [...rows, ...(await columnWords(ref, id))]
}

/** What else decides whether it fires, and what it is given. */
function TriggerMore({ projectRef, draft, onDraft }: FieldsProps) {
  const change = (part: Partial<TriggerDraft>) => onDraft({ ...draft, ...part })
  return (
    <>
      <CodeField
        label="Condition"
        lines={[2, 10]}
        placeholder="new.status is distinct from old.status"
        help="The trigger fires only if this is true. Leave empty to fire every time."
        words={() => rowWords(projectRef, draft)}
        value={draft.condition}
        onValue={(condition) => change({ condition })}
      />
      <fieldset className="object-rows">
        <legend className="label">Arguments of the function</legend>
        {draft.args.map((arg, index) => (
          <div className="object-row one" key={arg.id}>
            <TextField
              label={`Argument ${index + 1}`}
              mono
              autoComplete="off"
              value={arg.value}
              onChange={({ target }) =>
                change({
                  args: draft.args.map((one) =>
                    one.id === arg.id ? { ...one, value: target.value } : one,
                  ),
                })
              }
            />
            <IconButton
              className="object-row-remove"
              size="form"
              icon={Trash2}
              label={`Remove argument ${index + 1}`}
              onClick={() => change({ args: draft.args.filter(({ id }) => id !== arg.id) })}
            />
          </div>
        ))}
        <Button icon={Plus} onClick={() => change({ args: [...draft.args, draftArg()] })}>
          Add argument
        </Button>
        <p className="help">Text values that the function reads from TG_ARGV.</p>
      </fieldset>
      <SelectField
        label="Enabled"
        options={modes}
        value={draft.enabled_mode}
        onChange={(enabled_mode) => change({ enabled_mode })}
      />
    </>
  )
}

/** What the two lists of /project/{ref}/database/triggers have in common. */
export const ofBoth = {
  title: 'Triggers',
  help: 'Functions that the database calls when rows or its structure change.',
  icon: Zap,
  find: { label: 'Find a trigger', name: 'find' },
  tabs: ({ search, onSearch }: { search: Texts; onSearch: (search: Texts) => void }) => (
    <Tabs
      label="Kind of trigger"
      look="pills"
      tabs={[
        { id: 'tables', label: 'Of tables' },
        { id: 'events', label: 'Event triggers' },
      ]}
      value={search['tab'] === 'events' ? 'events' : 'tables'}
      onChange={(next) => onSearch({ ...search, tab: next === 'events' ? next : undefined })}
    />
  ),
} as const

/** The triggers of the tables and views of a schema. */
export const triggers: Resource<DatabaseTrigger> = {
  ...ofBoth,
  within: 'schema',
  query: triggersQuery,
  rowsOf: (data) => data,
  keyOf: ({ id }) => String(id),
  narrow: byText((one) => `${one.name} ${one.table} ${one.function_name} ${momentOf(one)}`),
  columns: triggerColumns,
  empty: emptyList({
    one: 'trigger',
    searched: 'its name, table, function or events',
    none: (schema) => `No table of the schema ${schema} has a trigger.`,
  }),
  needs: databaseTriggers.create,
  forgets: ofTriggers,
  create: {
    label: 'New trigger',
    panel: ({ projectRef, schema, close }) => (
      <TriggerEditor {...{ projectRef, schema }} onClose={close} />
    ),
  },
}

function triggerColumns(place: Place<DatabaseTrigger>): Column<DatabaseTrigger>[] {
  const { projectRef, schema, locked, why, open, close, ask } = place
  const lock = locked ?? why(databaseTriggers.update)
  const edit = (found: DatabaseTrigger) =>
    open(() => <TriggerEditor {...{ projectRef, schema, found }} onClose={close} />)
  const drop = (trigger: DatabaseTrigger) =>
    ask({
      change: dropTrigger(trigger),
      title: <DeleteTitle name={trigger.name} />,
      verb: 'Delete trigger',
      danger: true,
      done: `${trigger.name} is deleted`,
      children: (
        <p className="help">
          Its function stays. What it did when rows of {trigger.table} changed is no longer done.
        </p>
      ),
    })
  return [
    nameColumn({
      width: '24%',
      lock,
      onOpen: edit,
      badge: ({ constraint }) => constraint && <Badge>constraint</Badge>,
    }),
    codeColumn('Table', ({ table }) => table),
    {
      id: 'moment',
      head: 'When',
      wideOnly: true,
      sortBy: momentOf,
      cell: (trigger) => (
        <span className="mono object-sql" title={momentOf(trigger)}>
          {momentOf(trigger)}
        </span>
      ),
    },
    {
      id: 'each',
      head: 'For each',
      wideOnly: true,
      width: '104px',
      sortBy: ({ orientation }) => orientation,
      cell: ({ orientation }) => orientation.toLowerCase(),
    },
    {
      id: 'function',
      head: 'Function',
      wideOnly: true,
      sortBy: ({ function_name }) => function_name,
      cell: ({ function_schema, function_name, schema }) => (
        <span className="mono">
          {function_schema === schema ? function_name : `${function_schema}.${function_name}`}
        </span>
      ),
    },
    enabledColumn(),
    changeColumn(() => lock, edit, drop),
  ]
}

export const enabledColumn = <Row extends { enabled_mode: EnabledMode }>(): Column<Row> => ({
  id: 'enabled',
  head: 'Enabled',
  width: '112px',
  sortBy: ({ enabled_mode }) => modeNames[enabled_mode],
  cell: ({ enabled_mode }) => (
    <Badge dot tone={enabled_mode === 'DISABLED' ? 'neutral' : 'success'}>
      {modeNames[enabled_mode]}
    </Badge>
  ),
})
