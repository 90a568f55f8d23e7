import { useState } from 'react'
import { databaseTriggers, type DatabaseTrigger } from '#contract/database/database-triggers'
import { sqlOf } from '#contract/ddl/change'
import { changeTrigger, createTrigger, dropTrigger } from '#contract/ddl/triggers'
import { ObjectForm, panelTitle, panelVerb } from '../../../modules/objects/ObjectForm.tsx'
import { inlineEditor, SqlPanel } from '../../../modules/sql/SqlPanel.tsx'
import { usePreview } from '../../../session/telemetry/previews.ts'
import { draftOf, newTrigger, problemsOf, specOf } from './trigger-draft.ts'
import { TriggerFields } from './TriggerFields.tsx'
import { TriggerMore } from './TriggerMore.tsx'

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
  const wanted = specOf(draft)
  const change = found ? changeTrigger(found, wanted) : createTrigger(wanted)
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
          done: `${wanted.name} is ${found ? 'changed' : 'created'}`,
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
