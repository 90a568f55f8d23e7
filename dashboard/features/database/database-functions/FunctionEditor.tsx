import { useState } from 'react'
import { databaseFunctions, type DatabaseFunction } from '#contract/database/database-functions'
import { sqlOf } from '#contract/ddl/change'
import { canReplace, changeFunction, createFunction } from '#contract/ddl/functions'
import { ObjectForm, panelTitle, panelVerb } from '../../../modules/objects/ObjectForm.tsx'
import { inlineEditor, SqlPanel } from '../../../modules/sql/SqlPanel.tsx'
import { usePreview } from '../../../session/telemetry/previews.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { draftOf, newDraft, problemsOf, specOf, specOfDraft } from './function-draft.ts'
import { FunctionFields } from './FunctionFields.tsx'
import { FunctionMore } from './FunctionMore.tsx'

/** What tells of functions, and is old when one has changed. */
export const ofFunctions = [databaseFunctions.list]

type Props = {
  projectRef: string
  schema: string
  /** The one that is changed, or copied. */
  found?: DatabaseFunction
  duplicate?: boolean
  onClose: () => void
}

/** A function in the form, or as SQL for whoever tries the preview. */
export function FunctionEditor(props: Props) {
  return usePreview(inlineEditor) ? <FunctionSql {...props} /> : <FunctionForm {...props} />
}

/** Makes a function, changes one, or makes one like another. */
function FunctionForm({ projectRef, schema, found, duplicate = false, onClose }: Props) {
  const before = found && specOf(found)
  const editing = before !== undefined && !duplicate
  const [draft, setDraft] = useState(() => {
    if (!before) return newDraft(schema)
    return draftOf(duplicate ? { ...before, name: `${before.name}_copy` } : before)
  })
  const problems = problemsOf(draft)
  const wanted = specOfDraft(draft)
  const change = editing ? changeFunction(before, wanted) : createFunction(wanted)
  const anew = editing && !canReplace(before, wanted)
  const what = draft.kind
  return (
    <ObjectForm
      projectRef={projectRef}
      size="xlarge"
      title={panelTitle(what, editing ? before.name : undefined)}
      review="Review SQL"
      asked={
        change && {
          change,
          verb: panelVerb(what, editing),
          danger: anew,
          done: `${wanted.name} is ${editing ? 'changed' : 'created'}`,
          children: anew && <Anew />,
        }
      }
      problems={problems}
      forgets={ofFunctions}
      onClose={onClose}
    >
      {(shown) => (
        <>
          <FunctionFields
            {...{ projectRef, draft, problems: shown, onDraft: setDraft }}
            fixedKind={editing}
          />
          <FunctionMore {...{ projectRef, draft, problems: shown, onDraft: setDraft }} />
        </>
      )}
    </ObjectForm>
  )
}

const Anew = () => (
  <Alert variant="warning" title="It is deleted and created again">
    Postgres cannot change arguments or the result in place. Its execute privileges return to the
    default, and Postgres refuses while a trigger or view uses it.
  </Alert>
)

function FunctionSql({ projectRef, schema, found, duplicate = false, onClose }: Props) {
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
      forgets={ofFunctions}
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
