import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Webhook } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { databaseTriggers, type DatabaseTrigger } from '#contract/database/database-triggers'
import { dropTrigger } from '#contract/ddl/triggers'
import { ObjectTable } from '../../../modules/objects/ObjectTable.tsx'
import { projectQuery } from '../../../session/project/project.ts'
import { triggersQuery } from '../../../modules/objects/triggers.ts'
import { useReview } from '../../../modules/objects/use-review.tsx'
import { CallsPanel } from './CallsPanel.tsx'
import { isWebhook } from './queries.ts'
import type { WebhookSearch } from './search.ts'
import { webhookColumns } from './webhook-columns.tsx'
import { eventsOf } from './webhook-words.ts'
import { WebhookPanel } from './WebhookPanel.tsx'

type Props = {
  projectRef: string
  search: WebhookSearch
  onSearch: (search: WebhookSearch) => void
  /** Why none can be made or changed. */
  denied: string | undefined
  /** The button that makes one, for an empty list. */
  create: ReactNode
  creating: boolean
  onCreated: () => void
}

/** The webhooks of the tables of a schema. */
export function WebhookList(props: Props) {
  const { projectRef, search, onSearch, denied, create, creating, onCreated } = props
  const { schema = 'public', find = '', calls } = search
  const query = useQuery(triggersQuery(projectRef, schema))
  const { endpoint } = useSuspenseQuery(projectQuery(projectRef)).data
  const [editing, setEditing] = useState<DatabaseTrigger>()
  const { ask, dialog } = useReview(projectRef, databaseTriggers.list)
  const rows = query.data?.filter(isWebhook)
  const watched = rows?.find(({ id }) => String(id) === calls)
  const panel = { projectRef, schema, endpoint, triggers: query.data ?? [] }
  const drop = (trigger: DatabaseTrigger) =>
    ask({
      change: dropTrigger(trigger),
      title: (
        <>
          Delete <span className="mono">{trigger.name}</span>
        </>
      ),
      verb: 'Delete webhook',
      danger: true,
      done: `${trigger.name} is deleted`,
      children: (
        <p className="help">
          Its address is no longer called when rows of {trigger.table} change. Calls in the queue
          are still made.
        </p>
      ),
    })
  return (
    <>
      <ObjectTable
        label="Webhooks"
        one="webhook"
        columns={webhookColumns({
          projectRef,
          endpoint,
          lock: denied,
          onEdit: setEditing,
          onCalls: ({ id }) => onSearch({ ...search, calls: String(id) }),
          onDrop: drop,
        })}
        rows={rows}
        keyOf={({ id }) => String(id)}
        error={query.error}
        onRetry={() => void query.refetch()}
        find={find}
        textOf={(one) => `${one.name} ${one.table} ${eventsOf(one)} ${one.function_args[0] ?? ''}`}
        searched="its name, table, events or address"
        schema={schema}
        icon={Webhook}
        none={`No webhook is called when rows of the schema ${schema} change.`}
        create={create}
      />
      {creating && <WebhookPanel {...panel} onClose={onCreated} />}
      {editing && <WebhookPanel {...panel} found={editing} onClose={() => setEditing(undefined)} />}
      {watched && (
        <CallsPanel
          projectRef={projectRef}
          webhook={watched}
          onClose={() => onSearch({ ...search, calls: undefined })}
        />
      )}
      {dialog}
    </>
  )
}
