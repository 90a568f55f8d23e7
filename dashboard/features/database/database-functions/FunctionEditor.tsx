import { databaseFunctions, type DatabaseFunction } from '#contract/database/database-functions'
import { createFunction } from '#contract/ddl/functions'
import { sqlOf } from '#contract/ddl/change'
import { inlineEditor, SqlPanel } from '../../../modules/sql/SqlPanel.tsx'
import { usePreview } from '../../../session/telemetry/previews.ts'
import { newDraft, specOf, specOfDraft } from './function-draft.ts'
import { FunctionPanel, type FunctionPanelProps } from './FunctionPanel.tsx'

/** A function in the form, or as SQL for whoever tries the preview. */
export function FunctionEditor(props: FunctionPanelProps) {
  return usePreview(inlineEditor) ? <FunctionSql {...props} /> : <FunctionPanel {...props} />
}

function FunctionSql({
  projectRef,
  schema,
  found,
  duplicate = false,
  onClose,
}: FunctionPanelProps) {
  const editing = found !== undefined && !duplicate
  const what = found?.kind ?? 'function'
  return (
    <SqlPanel
      projectRef={projectRef}
      kind={what}
      name={editing ? found.name : undefined}
      about={found?.name ?? ''}
      start={editing ? sqlOfFound(found) : sqlOfNew(schema, found)}
      done={`The ${what} is ${editing ? 'changed' : 'created'}`}
      forgets={[databaseFunctions.list]}
      onClose={onClose}
    />
  )
}

/** As Postgres prints it. */
const sqlOfFound = ({ complete_statement: sql }: DatabaseFunction) =>
  `${sql.trim().replace(/;$/, '')};`

/** The frame of a new one, or one like another. */
function sqlOfNew(schema: string, like: DatabaseFunction | undefined): string {
  const spec = like
    ? { ...specOf(like), name: `${like.name}_copy` }
    : { ...specOfDraft(newDraft(schema)), name: 'new_function' }
  return sqlOf(createFunction(spec).statements)
}
