import { useState } from 'react'
import { databaseTriggers, type DatabaseTrigger } from '#contract/database/database-triggers'
import { changeTrigger, createTrigger } from '#contract/ddl/triggers'
import { ObjectForm, panelTitle, panelVerb } from '../../../modules/objects/ObjectForm.tsx'
import { draftOf, newTrigger, problemsOf, specOf } from './trigger-draft.ts'
import { TriggerFields } from './TriggerFields.tsx'
import { TriggerMore } from './TriggerMore.tsx'

export type TriggerPanelProps = {
  projectRef: string
  schema: string
  /** The one that is changed. */
  found?: DatabaseTrigger
  onClose: () => void
}

/** Makes a trigger, or changes one. */
export function TriggerPanel({ projectRef, schema, found, onClose }: TriggerPanelProps) {
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
      forgets={[databaseTriggers.list]}
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
