import { useState } from 'react'
import { databaseTriggers, type DatabaseTrigger } from '#contract/database-triggers'
import type { Change } from '#contract/ddl/change'
import { changeTrigger, createTrigger } from '#contract/ddl/triggers'
import { forget } from '../../api/client.ts'
import { ReviewChange } from '../../session/ReviewChange.tsx'
import { Button } from '../../ui/Button.tsx'
import { Form } from '../../ui/Form.tsx'
import { SidePanel } from '../../ui/SidePanel.tsx'
import { toast } from '../../ui/toast.ts'
import { draftOf, newTrigger, problemsOf, specOf } from './trigger-draft.ts'
import { TriggerFields } from './TriggerFields.tsx'
import { TriggerMore } from './TriggerMore.tsx'

type Props = {
  projectRef: string
  schema: string
  /** The one that is changed. */
  found?: DatabaseTrigger
  onClose: () => void
}

/** Makes a trigger, or changes one. */
export function TriggerPanel({ projectRef, schema, found, onClose }: Props) {
  const [draft, setDraft] = useState(() => (found ? draftOf(found) : newTrigger(schema)))
  const [tried, setTried] = useState(false)
  const [review, setReview] = useState<Change>()
  const problems = problemsOf(draft)
  const wanted = specOf(draft)
  const change = found ? changeTrigger(found, wanted) : createTrigger(wanted)

  function submit() {
    setTried(true)
    if (Object.keys(problems).length === 0) setReview(change)
  }

  const fields = { projectRef, draft, problems: tried ? problems : {}, onDraft: setDraft }
  const verb = found ? 'Change trigger' : 'Create trigger'
  return (
    <SidePanel
      open
      size="xlarge"
      onClose={onClose}
      title={
        found ? (
          <>
            Edit <span className="mono">{found.name}</span>
          </>
        ) : (
          'New trigger'
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
        <TriggerFields {...fields} />
        <TriggerMore {...fields} />
      </div>
      <ReviewChange
        projectRef={projectRef}
        change={review}
        title={verb}
        verb={verb}
        onClose={() => setReview(undefined)}
        onDone={async () => {
          toast.success(`${wanted.name} is ${found ? 'changed' : 'created'}`)
          await forget(databaseTriggers.list)
          onClose()
        }}
      />
    </SidePanel>
  )
}
