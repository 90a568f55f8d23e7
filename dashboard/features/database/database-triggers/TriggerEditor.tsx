import { databaseTriggers } from '#contract/database/database-triggers'
import { sqlOf } from '#contract/ddl/change'
import { createTrigger, dropTrigger } from '#contract/ddl/triggers'
import { inlineEditor, SqlPanel } from '../../../modules/sql/SqlPanel.tsx'
import { usePreview } from '../../../session/telemetry/previews.ts'
import { draftOf, specOf } from './trigger-draft.ts'
import { TriggerPanel, type TriggerPanelProps } from './TriggerPanel.tsx'

/** A trigger in the form, or as SQL for whoever tries the preview. */
export function TriggerEditor(props: TriggerPanelProps) {
  return usePreview(inlineEditor) ? <TriggerSql {...props} /> : <TriggerPanel {...props} />
}

/** The frame of a new trigger; table and function are still to be named. */
const frame = (schema: string) => `create trigger new_trigger
after insert on ${schema}.table_name
for each row
execute function ${schema}.function_name();`

function TriggerSql({ projectRef, schema, found, onClose }: TriggerPanelProps) {
  return (
    <SqlPanel
      projectRef={projectRef}
      kind="trigger"
      name={found?.name}
      start={
        found
          ? sqlOf([
              ...dropTrigger(found).statements,
              ...createTrigger(specOf(draftOf(found))).statements,
            ])
          : frame(schema)
      }
      done={`The trigger is ${found ? 'changed' : 'created'}`}
      forgets={[databaseTriggers.list]}
      onClose={onClose}
    />
  )
}
