import { useQuery } from '@tanstack/react-query'
import { databaseTriggers, type EventTrigger } from '#contract/database/database-triggers'
import type { Output } from '#contract/endpoint'
import { dropEventTrigger } from '#contract/ddl/event-triggers'
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
import { EventTriggerForm, ofEventTriggers } from './EventTriggerForm.tsx'
import { enabledColumn, ofBoth } from './triggers.tsx'

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
