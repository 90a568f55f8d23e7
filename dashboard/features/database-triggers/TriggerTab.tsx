import { useQuery } from '@tanstack/react-query'
import { SearchX, Zap } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { databaseTriggers, type DatabaseTrigger } from '#contract/database-triggers'
import { dropTrigger } from '#contract/ddl/triggers'
import { forget } from '../../api/client.ts'
import { useDenials } from '../../session/permissions.ts'
import { protection } from '../../session/protected-schemas.ts'
import { ReviewChange } from '../../session/ReviewChange.tsx'
import { SchemaSelect } from '../../session/SchemaSelect.tsx'
import { useProject } from '../../session/use-project.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Table } from '../../ui/Table.tsx'
import { toast } from '../../ui/toast.ts'
import { triggersQuery } from './queries.ts'
import { triggerColumns } from './trigger-columns.tsx'
import { lockOf, momentOf } from './trigger-draft.ts'
import { TriggerPanel } from './TriggerPanel.tsx'

type Props = {
  projectRef: string
  schema: string
  find: string
  /** The button that makes one, for an empty list. */
  create: ReactNode
  creating: boolean
  onCreated: () => void
  onSchema: (schema: string) => void
}

/** The triggers of the tables and views of a schema. */
export function TriggerTab(props: Props) {
  const { projectRef, schema, find, create, creating, onCreated, onSchema } = props
  const query = useQuery(triggersQuery(projectRef, schema))
  const [editing, setEditing] = useState<DatabaseTrigger>()
  const [dropping, setDropping] = useState<DatabaseTrigger>()
  const why = useDenials(useProject(projectRef))
  const locked = protection(schema) ?? why(databaseTriggers.update)
  const wanted = find.trim().toLowerCase()
  const rows = query.data?.filter((one) =>
    `${one.name} ${one.table} ${one.function_name} ${momentOf(one)}`.toLowerCase().includes(wanted),
  )
  return (
    <>
      <div className="object-bar">
        <SchemaSelect projectRef={projectRef} schema={schema} onSchema={onSchema} />
        {protection(schema) && <p className="help">{protection(schema)}</p>}
      </div>
      <div className="card">
        <Table
          label="Triggers"
          columns={triggerColumns({
            lock: (one) => locked ?? lockOf(one),
            noDrop: locked,
            onEdit: setEditing,
            onDrop: setDropping,
          })}
          rows={rows}
          keyOf={({ id }) => String(id)}
          error={query.error}
          onRetry={() => void query.refetch()}
          empty={
            wanted ? (
              <EmptyState icon={SearchX} title="No trigger matches">
                Nothing in {schema} has “{find.trim()}” in its name, table, function or events.
              </EmptyState>
            ) : (
              <EmptyState icon={Zap} title="No triggers yet" action={create}>
                No table of the schema {schema} has a trigger.
              </EmptyState>
            )
          }
        />
      </div>
      {creating && <TriggerPanel projectRef={projectRef} schema={schema} onClose={onCreated} />}
      {editing && (
        <TriggerPanel
          projectRef={projectRef}
          schema={schema}
          found={editing}
          onClose={() => setEditing(undefined)}
        />
      )}
      <ReviewChange
        projectRef={projectRef}
        change={
          dropping &&
          dropTrigger(dropping, dropping.is_constraint ? [dropping.definition] : undefined)
        }
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
