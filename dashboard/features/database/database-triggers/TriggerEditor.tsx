import { useState } from 'react'
import { Plus, Trash2 } from 'lucide-react'
import { databaseTriggers, type DatabaseTrigger } from '#contract/database/database-triggers'
import { sqlOf } from '#contract/ddl/change'
import { changeTrigger, createTrigger, dropTrigger } from '#contract/ddl/triggers'
import { ObjectForm, panelTitle, panelVerb } from '../../../modules/objects/ObjectForm.tsx'
import { inlineEditor, SqlPanel } from '../../../modules/sql/SqlPanel.tsx'
import { usePreview } from '../../../session/telemetry/previews.ts'
import { queryClient } from '../../../api/client.ts'
import { columnWords } from '../../../modules/objects/column-words.ts'
import { modes, triggerTablesQuery } from '../../../modules/objects/TriggerTarget.tsx'
import type { CodeWord } from '../../../ui/code/offer-words.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { CodeField } from '../../../ui/controls/CodeField.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import {
  draftOf,
  newTrigger,
  problemsOf,
  specOf,
  draftArg,
  type TriggerDraft,
} from './trigger-draft.ts'
import { TriggerFields, type FieldsProps } from './TriggerFields.tsx'

/** What tells of triggers, and is old when one has changed. */
export const ofTriggers = [databaseTriggers.list]

type Props = {
  projectRef: string
  schema: string
  /** The one that is changed. */
  found?: DatabaseTrigger
  onClose: () => void
}

/** A trigger in the form, or as SQL for whoever tries the preview. */
export function TriggerEditor(props: Props) {
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
