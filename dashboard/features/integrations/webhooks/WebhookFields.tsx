import type { DatabaseTrigger } from '#contract/database/database-triggers'
import { TableField, EventChecks } from '../../../modules/objects/TriggerTarget.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import type { WebhookDraft, Problems } from './webhook-draft.ts'

export type FieldsProps = {
  projectRef: string
  draft: WebhookDraft
  /** Empty until the form was sent once. */
  problems: Problems
  change: (part: Partial<WebhookDraft>) => void
}

/** What has rows of its own that triggers fire after. */
const tableKinds = ['table', 'partitioned_table', 'foreign_table'] as const
const events = ['INSERT', 'UPDATE', 'DELETE'] as const

type Props = FieldsProps & {
  onName: (name: string) => void
  onTable: (table: string) => void
  /** The one that is changed. */
  found: DatabaseTrigger | undefined
}

/** What a webhook is called, and what it waits for. */
export function WebhookFields(props: Props) {
  const { projectRef, draft, problems, change, onName, onTable, found } = props
  return (
    <>
      <div className="field-pair">
        <TableField
          projectRef={projectRef}
          schema={draft.schema}
          table={draft.table}
          kinds={tableKinds}
          error={problems.table}
          onTable={onTable}
        />
        <TextField
          label="Name"
          mono
          autoComplete="off"
          spellCheck={false}
          help={
            found && found.name !== draft.name
              ? `Calls that it made as ${found.name} are no longer listed with it.`
              : undefined
          }
          error={problems.name}
          value={draft.name}
          onChange={(event) => onName(event.target.value)}
        />
      </div>
      <EventChecks
        events={events}
        chosen={draft.events}
        error={problems.events}
        onChange={(chosen) => change({ events: chosen })}
      >
        {found && <Narrowed found={found} table={draft.table} />}
      </EventChecks>
    </>
  )
}

/** What else its trigger was given, which this form keeps and does not show. */
function Narrowed({ found, table }: { found: DatabaseTrigger; table: string }) {
  const columns = found.table === table ? found.columns : []
  if (columns.length === 0 && found.condition === null) return null
  return (
    <p className="help">
      Its trigger also asks for
      {columns.length > 0 && ` an update of ${columns.join(', ')}`}
      {columns.length > 0 && found.condition !== null && ', and for'}
      {found.condition !== null && (
        <>
          {' '}
          <code>{found.condition}</code>
        </>
      )}
      . That stays; you can change it on the Triggers page.
    </p>
  )
}
