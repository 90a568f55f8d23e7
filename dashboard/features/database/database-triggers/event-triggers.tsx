import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { databaseTriggers, type EventTrigger } from '#contract/database/database-triggers'
import type { Output } from '#contract/endpoint'
import {
  dropEventTrigger,
  changeEventTrigger,
  createEventTrigger,
} from '#contract/ddl/event-triggers'
import { DeleteTitle } from '../../../modules/objects/list/DropObject.tsx'
import { eventTriggersQuery } from '../../../modules/objects/lists.ts'
import { changeColumn } from '../../../modules/objects/list/object-columns.tsx'
import {
  byText,
  emptyList,
  type Place,
  type Resource,
} from '../../../modules/objects/list/resource.tsx'
import type { Column } from '../../../ui/lists/Table.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import { ObjectForm, panelTitle, panelVerb } from '../../../modules/objects/ObjectForm.tsx'
import { modes } from '../../../modules/objects/TriggerTarget.tsx'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import {
  eventDraftOf,
  eventOptions,
  eventProblemsOf,
  eventSpecOf,
  newEventTrigger,
  type EventDraft,
} from './trigger-draft.ts'
import { FunctionField } from './TriggerFields.tsx'
import { enabledColumn, ofBoth } from './triggers.tsx'

/** What tells of event triggers, and is old when one has changed. */
const ofEventTriggers = [databaseTriggers.events]

type Props = {
  projectRef: string
  /** The one that is changed. */
  found?: EventTrigger
  onClose: () => void
}

/** Makes a trigger of the whole database, or changes one. */
function EventTriggerForm({ projectRef, found, onClose }: Props) {
  const [draft, setDraft] = useState(() => (found ? eventDraftOf(found) : newEventTrigger()))
  const spec = eventSpecOf(draft)
  const made = found ? changeEventTrigger(found, spec) : createEventTrigger(spec)
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
          done: `${spec.name} is ${found ? 'changed' : 'created'}`,
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

/** Whether this login can make and change them; undefined while loading. */
type More = boolean | undefined

/** Triggers that fire at commands of the whole database. */
export const eventTriggers: Resource<EventTrigger, More, Output<typeof databaseTriggers.events>> = {
  ...ofBoth,
  label: 'Event triggers',
  within: 'database',
  query: eventTriggersQuery,
  rowsOf: ({ event_triggers }) => event_triggers,
  useMore: (projectRef) => useQuery(eventTriggersQuery(projectRef)).data?.can_create,
  keyOf: ({ id }) => String(id),
  narrow: byText((one) => `${one.name} ${one.event} ${one.function_name} ${one.tags.join(' ')}`),
  columns: eventTriggerColumns,
  empty: emptyList({
    one: 'event trigger',
    searched: 'its name, event, function or commands',
    none: () => 'No function is called when the structure of this database changes.',
  }),
  needs: databaseTriggers.create,
  refusal: (canCreate) =>
    canCreate === false
      ? 'Only a superuser can create event triggers, and a project’s own role is not one'
      : undefined,
  forgets: ofEventTriggers,
  create: {
    label: 'New event trigger',
    panel: ({ projectRef, close }) => <EventTriggerForm projectRef={projectRef} onClose={close} />,
  },
}

function eventTriggerColumns(place: Place<EventTrigger, More>): Column<EventTrigger>[] {
  const { projectRef, more: mine, why, open, close, ask } = place
  const lock = ({ extension }: EventTrigger) => {
    if (extension) return `It belongs to the extension ${extension}`
    return (
      why(databaseTriggers.update) ??
      (mine ? undefined : 'Only a superuser can change event triggers')
    )
  }
  const edit = (found: EventTrigger) =>
    open(() => <EventTriggerForm projectRef={projectRef} found={found} onClose={close} />)
  const drop = (trigger: EventTrigger) =>
    ask({
      change: dropEventTrigger(trigger),
      title: <DeleteTitle name={trigger.name} />,
      verb: 'Delete event trigger',
      danger: true,
      done: `${trigger.name} is deleted`,
      children: <p className="help">Its function stays.</p>,
    })
  return [
    {
      id: 'name',
      head: 'Name',
      width: '26%',
      sortBy: ({ name }) => name,
      cell: ({ name, extension }) => (
        <span className="object-name">
          <span className="mono ell">{name}</span>
          {extension && <Badge>{extension}</Badge>}
        </span>
      ),
    },
    {
      id: 'event',
      head: 'Event',
      sortBy: ({ event }) => event,
      cell: ({ event, tags }) => (
        <span className="mono object-sql" title={tags.join(', ')}>
          {event}
          {tags.length > 0 && <span className="faint"> {tags.join(', ')}</span>}
        </span>
      ),
    },
    {
      id: 'function',
      head: 'Function',
      wideOnly: true,
      sortBy: ({ function_name }) => function_name,
      cell: ({ function_schema, function_name }) => (
        <span className="mono">
          {function_schema}.{function_name}
        </span>
      ),
    },
    {
      id: 'owner',
      head: 'Owner',
      wideOnly: true,
      sortBy: ({ owner }) => owner,
      cell: ({ owner }) => <span className="mono">{owner}</span>,
    },
    enabledColumn(),
    changeColumn(lock, edit, drop),
  ]
}
