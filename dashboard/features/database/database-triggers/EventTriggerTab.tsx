import { useQuery } from '@tanstack/react-query'
import { Zap } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { databaseTriggers, type EventTrigger } from '#contract/database/database-triggers'
import { dropEventTrigger } from '#contract/ddl/event-triggers'
import { forget } from '../../../api/client.ts'
import { ObjectTable } from '../../../modules/objects/ObjectTable.tsx'
import { useDenials } from '../../../session/organization/permissions.ts'
import { ReviewChange } from '../../../modules/objects/ReviewChange.tsx'
import { useProject } from '../../../session/project/use-project.ts'
import { toast } from '../../../ui/floats/toast.ts'
import { eventTriggerColumns } from './event-columns.tsx'
import { EventTriggerPanel } from './EventTriggerPanel.tsx'
import { eventTriggersQuery } from './queries.ts'

type Props = {
  projectRef: string
  find: string
  /** The button that makes one, for an empty list. */
  create: ReactNode
  creating: boolean
  onCreated: () => void
}

/** Triggers that fire at commands of the whole database. */
export function EventTriggerTab({ projectRef, find, create, creating, onCreated }: Props) {
  const query = useQuery(eventTriggersQuery(projectRef))
  const [editing, setEditing] = useState<EventTrigger>()
  const [dropping, setDropping] = useState<EventTrigger>()
  const why = useDenials(useProject(projectRef))
  const mine = query.data?.can_create ?? false
  const lock = ({ extension }: EventTrigger) => {
    if (extension) return `It belongs to the extension ${extension}`
    return (
      why(databaseTriggers.update) ??
      (mine ? undefined : 'Only a superuser can change event triggers')
    )
  }
  return (
    <>
      <ObjectTable
        label="Event triggers"
        one="event trigger"
        columns={eventTriggerColumns({ lock, onEdit: setEditing, onDrop: setDropping })}
        rows={query.data?.event_triggers}
        keyOf={({ id }) => String(id)}
        error={query.error}
        onRetry={() => void query.refetch()}
        find={find}
        textOf={(one) => `${one.name} ${one.event} ${one.function_name} ${one.tags.join(' ')}`}
        searched="its name, event, function or commands"
        icon={Zap}
        none="No function is called when the structure of this database changes."
        create={create}
      />
      {creating && <EventTriggerPanel projectRef={projectRef} onClose={onCreated} />}
      {editing && (
        <EventTriggerPanel
          projectRef={projectRef}
          found={editing}
          onClose={() => setEditing(undefined)}
        />
      )}
      <ReviewChange
        projectRef={projectRef}
        change={dropping && dropEventTrigger(dropping)}
        title={
          <>
            Delete <span className="mono">{dropping?.name}</span>
          </>
        }
        verb="Delete event trigger"
        danger
        onClose={() => setDropping(undefined)}
        onDone={async () => {
          toast.success(`${dropping?.name} is deleted`)
          await forget(databaseTriggers.events)
          setDropping(undefined)
        }}
      >
        <p className="help">Its function stays.</p>
      </ReviewChange>
    </>
  )
}
