import { useQuery } from '@tanstack/react-query'
import { Zap } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { databaseTriggers, type DatabaseTrigger } from '#contract/database/database-triggers'
import { dropTrigger } from '#contract/ddl/triggers'
import { forget } from '../../../api/client.ts'
import { ObjectTable } from '../../../modules/objects/ObjectTable.tsx'
import { useDenials } from '../../../session/organization/permissions.ts'
import { protection } from '../../../modules/objects/protected-schemas.ts'
import { ReviewChange } from '../../../modules/objects/ReviewChange.tsx'
import { triggersQuery } from '../../../modules/objects/triggers.ts'
import { useProject } from '../../../session/project/use-project.ts'
import { toast } from '../../../ui/floats/toast.ts'
import { triggerColumns } from './trigger-columns.tsx'
import { momentOf } from './trigger-draft.ts'
import { TriggerEditor } from './TriggerEditor.tsx'

type Props = {
  projectRef: string
  schema: string
  find: string
  /** The button that makes one, for an empty list. */
  create: ReactNode
  creating: boolean
  onCreated: () => void
}

/** The triggers of the tables and views of a schema. */
export function TriggerTab(props: Props) {
  const { projectRef, schema, find, create, creating, onCreated } = props
  const query = useQuery(triggersQuery(projectRef, schema))
  const [editing, setEditing] = useState<DatabaseTrigger>()
  const [dropping, setDropping] = useState<DatabaseTrigger>()
  const why = useDenials(useProject(projectRef))
  const locked = protection(schema) ?? why(databaseTriggers.update)
  return (
    <>
      <ObjectTable
        label="Triggers"
        one="trigger"
        columns={triggerColumns({ lock: locked, onEdit: setEditing, onDrop: setDropping })}
        rows={query.data}
        keyOf={({ id }) => String(id)}
        error={query.error}
        onRetry={() => void query.refetch()}
        find={find}
        textOf={(one) => `${one.name} ${one.table} ${one.function_name} ${momentOf(one)}`}
        searched="its name, table, function or events"
        schema={schema}
        icon={Zap}
        none={`No table of the schema ${schema} has a trigger.`}
        create={create}
      />
      {creating && <TriggerEditor projectRef={projectRef} schema={schema} onClose={onCreated} />}
      {editing && (
        <TriggerEditor
          projectRef={projectRef}
          schema={schema}
          found={editing}
          onClose={() => setEditing(undefined)}
        />
      )}
      <ReviewChange
        projectRef={projectRef}
        change={dropping && dropTrigger(dropping)}
        title={
          <>
            Delete <span className="mono">{dropping?.name}</span>
          </>
        }
        verb="Delete trigger"
        danger
        onClose={() => setDropping(undefined)}
        onDone={async () => {
          toast.success(`${dropping?.name} is deleted`)
          await forget(databaseTriggers.list)
          setDropping(undefined)
        }}
      >
        <p className="help">
          Its function stays. What it did when rows of {dropping?.table} changed is no longer done.
        </p>
      </ReviewChange>
    </>
  )
}
