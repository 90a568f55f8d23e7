import { useState } from 'react'
import { databaseTriggers, type EventTrigger } from '#contract/database-triggers'
import type { Change } from '#contract/ddl/change'
import { changeEventTrigger, createEventTrigger } from '#contract/ddl/event-triggers'
import { forget } from '../../api/client.ts'
import { ReviewChange } from '../../session/ReviewChange.tsx'
import { Button } from '../../ui/Button.tsx'
import { Form } from '../../ui/Form.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { SidePanel } from '../../ui/SidePanel.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { toast } from '../../ui/toast.ts'
import {
  eventDraftOf,
  eventOptions,
  eventProblemsOf,
  eventSpecOf,
  newEventTrigger,
  type EventDraft,
} from './event-draft.ts'
import { FunctionField } from './FunctionField.tsx'
import { modes } from './trigger-draft.ts'

type Props = {
  projectRef: string
  /** The one that is changed. */
  found?: EventTrigger
  onClose: () => void
}

/** Makes a trigger of the whole database, or changes one. */
export function EventTriggerPanel({ projectRef, found, onClose }: Props) {
  const [draft, setDraft] = useState(() => (found ? eventDraftOf(found) : newEventTrigger()))
  const [tried, setTried] = useState(false)
  const [review, setReview] = useState<Change>()
  const problems = eventProblemsOf(draft)
  const shown = tried ? problems : {}
  const wanted = eventSpecOf(draft)
  const made = found ? changeEventTrigger(found, wanted) : createEventTrigger(wanted)
  const change = (part: Partial<EventDraft>) => setDraft({ ...draft, ...part })
  const verb = found ? 'Change event trigger' : 'Create event trigger'

  function submit() {
    setTried(true)
    if (Object.keys(problems).length === 0) setReview(made)
  }

  return (
    <SidePanel
      open
      size="large"
      onClose={onClose}
      title={found ? found.name : 'New event trigger'}
      shell={(inside) => (
        <Form error={undefined} pending={false} onSubmit={submit}>
          {inside}
        </Form>
      )}
      footer={
        <>
          <Button size="form" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" size="form" variant="primary" disabled={!made}>
            Review SQL
          </Button>
        </>
      }
    >
      <div className="form-stack">
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
          help="Separated by commas. Empty: for every command."
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
      </div>
      <ReviewChange
        projectRef={projectRef}
        change={review}
        title={verb}
        verb={verb}
        onClose={() => setReview(undefined)}
        onDone={async () => {
          toast.success(`${wanted.name} is ${found ? 'changed' : 'created'}`)
          await forget(databaseTriggers.events)
          onClose()
        }}
      />
    </SidePanel>
  )
}
