import { useState } from 'react'
import { databaseTriggers, type EventTrigger } from '#contract/database/database-triggers'
import { changeEventTrigger, createEventTrigger } from '#contract/ddl/event-triggers'
import { ObjectForm, panelTitle, panelVerb } from '../../../modules/objects/ObjectForm.tsx'
import { modes } from '../../../modules/objects/triggers.ts'
import { SelectField } from '../../../ui/controls/SelectField.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import {
  eventDraftOf,
  eventOptions,
  eventProblemsOf,
  eventSpecOf,
  newEventTrigger,
  type EventDraft,
} from './trigger-draft.ts'
import { FunctionField } from './FunctionField.tsx'

/** What tells of event triggers, and is old when one has changed. */
export const ofEventTriggers = [databaseTriggers.events]

type Props = {
  projectRef: string
  /** The one that is changed. */
  found?: EventTrigger
  onClose: () => void
}

/** Makes a trigger of the whole database, or changes one. */
export function EventTriggerForm({ projectRef, found, onClose }: Props) {
  const [draft, setDraft] = useState(() => (found ? eventDraftOf(found) : newEventTrigger()))
  const wanted = eventSpecOf(draft)
  const made = found ? changeEventTrigger(found, wanted) : createEventTrigger(wanted)
  const change = (part: Partial<EventDraft>) => setDraft({ ...draft, ...part })
  return (
    <ObjectForm
      projectRef={projectRef}
      size="large"
      title={panelTitle('event trigger', found?.name)}
      review="Review SQL"
      asked={
        made && {
          change: made,
          verb: panelVerb('event trigger', found !== undefined),
          done: `${wanted.name} is ${found ? 'changed' : 'created'}`,
        }
      }
      problems={eventProblemsOf(draft)}
      forgets={ofEventTriggers}
      onClose={onClose}
    >
      {(shown) => (
        <>
          <TextField
            label="Name"
            mono
            autoComplete="off"
            error={shown.name}
            value={draft.name}
            onChange={(event) => change({ name: event.target.value })}
          />
          <SelectField
            label="Event"
            options={eventOptions}
            value={draft.event}
            onChange={(event) => change({ event })}
          />
          <TextField
            label="Only for these commands"
            mono
            autoComplete="off"
            placeholder="CREATE TABLE, DROP TABLE"
            help="Separate with commas. Leave empty for every command."
            value={draft.tags}
            onChange={(event) => change({ tags: event.target.value })}
          />
          <FunctionField
            projectRef={projectRef}
            returns="event_trigger"
            schema={draft.function_schema}
            name={draft.function_name}
            error={shown.function}
            onFunction={(function_schema, function_name) =>
              change({ function_schema, function_name })
            }
          />
          <SelectField
            label="Enabled"
            options={modes}
            value={draft.enabled_mode}
            onChange={(enabled_mode) => change({ enabled_mode })}
          />
        </>
      )}
    </ObjectForm>
  )
}
