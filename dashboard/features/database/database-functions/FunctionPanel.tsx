import { useState } from 'react'
import { databaseFunctions, type DatabaseFunction } from '#contract/database/database-functions'
import { canReplace, changeFunction, createFunction } from '#contract/ddl/functions'
import { ObjectForm, panelTitle, panelVerb } from '../../../modules/objects/ObjectForm.tsx'
import { Alert } from '../../../ui/Alert.tsx'
import { draftOf, newDraft, problemsOf, specOf, specOfDraft } from './function-draft.ts'
import { FunctionFields } from './FunctionFields.tsx'
import { FunctionMore } from './FunctionMore.tsx'

export type FunctionPanelProps = {
  projectRef: string
  schema: string
  /** The one that is changed, or copied. */
  found?: DatabaseFunction
  duplicate?: boolean
  onClose: () => void
}

/** Makes a function, changes one, or makes one like another. */
export function FunctionPanel({
  projectRef,
  schema,
  found,
  duplicate = false,
  onClose,
}: FunctionPanelProps) {
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
      forgets={[databaseFunctions.list]}
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
