import { useState } from 'react'
import { databaseFunctions, type DatabaseFunction } from '#contract/database-functions'
import { canReplace, changeFunction, createFunction } from '#contract/ddl/functions'
import type { Change } from '#contract/ddl/change'
import { forget } from '../../api/client.ts'
import { ReviewChange } from '../../session/ReviewChange.tsx'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { Form } from '../../ui/Form.tsx'
import { SidePanel } from '../../ui/SidePanel.tsx'
import { toast } from '../../ui/toast.ts'
import { draftOf, newDraft, problemsOf, specOf, specOfDraft } from './function-draft.ts'
import { FunctionFields } from './FunctionFields.tsx'
import { FunctionMore } from './FunctionMore.tsx'

type Props = {
  projectRef: string
  schema: string
  /** The one that is changed, or copied. */
  found?: DatabaseFunction
  duplicate?: boolean
  onClose: () => void
}

/** Makes a function, changes one, or makes one like another. */
export function FunctionPanel({ projectRef, schema, found, duplicate = false, onClose }: Props) {
  const before = found && specOf(found)
  const editing = before !== undefined && !duplicate
  const [draft, setDraft] = useState(() => {
    if (!before) return newDraft(schema)
    return draftOf(duplicate ? { ...before, name: `${before.name}_copy` } : before)
  })
  const [tried, setTried] = useState(false)
  const [review, setReview] = useState<Change>()
  const problems = problemsOf(draft)
  const wanted = specOfDraft(draft)
  const change = editing ? changeFunction(before, wanted) : createFunction(wanted)
  const anew = editing && !canReplace(before, wanted)
  const what = draft.kind

  function submit() {
    setTried(true)
    if (Object.keys(problems).length === 0) setReview(change)
  }

  const fields = { projectRef, draft, problems: tried ? problems : {}, onDraft: setDraft }
  return (
    <SidePanel
      open
      size="xlarge"
      onClose={onClose}
      title={
        editing ? (
          <>
            Edit <span className="mono">{before.name}</span>
          </>
        ) : (
          `New ${what}`
        )
      }
      shell={(inside) => (
        <Form error={undefined} pending={false} onSubmit={submit}>
          {inside}
        </Form>
      )}
      footer={
        <>
          <Button size="form" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" size="form" variant="primary" disabled={!change}>
            Review SQL
          </Button>
        </>
      }
    >
      <div className="form-stack">
        <FunctionFields {...fields} fixedKind={editing} />
        <FunctionMore {...fields} />
        {tried && Object.keys(problems).length > 0 && (
          <Alert variant="danger" title="Some fields are not right yet" />
        )}
      </div>
      <ReviewChange
        projectRef={projectRef}
        change={review}
        title={editing ? `Change ${what}` : `Create ${what}`}
        verb={editing ? `Change ${what}` : `Create ${what}`}
        danger={anew}
        onClose={() => setReview(undefined)}
        onDone={async () => {
          toast.success(`${wanted.name} is ${editing ? 'changed' : 'created'}`)
          await forget(databaseFunctions.list)
          onClose()
        }}
      >
        {anew && (
          <Alert variant="warning" title="It is deleted and made anew">
            Postgres can not change arguments or result in place. Who may run it goes back to the
            default, and Postgres refuses while a trigger or view uses it.
          </Alert>
        )}
      </ReviewChange>
    </SidePanel>
  )
}
