import { useState, type ReactNode } from 'react'
import type { Change } from '#contract/ddl/change'
import type { Endpoint } from '#contract/endpoint'
import { forget } from '../../api/client.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/controls/Button.tsx'
import { Form } from '../../ui/controls/Form.tsx'
import { SidePanel } from '../../ui/floats/SidePanel.tsx'
import type { SidePanelSize } from '../../ui/floats/SidePanelBox.tsx'
import { toast } from '../../ui/floats/toast.ts'
import { panelTitle, panelVerb } from './object-words.tsx'
import { ReviewChange } from './ReviewChange.tsx'

type Props<Problems extends object> = {
  projectRef: string
  /** What it makes or changes, as "event trigger". */
  kind: string
  /** Of the one that is changed. */
  name?: string | undefined
  /** Where its name says too little. */
  title?: ReactNode
  size?: SidePanelSize
  /** What the toast says afterwards. */
  done: string
  /** Undefined while nothing is changed. */
  change: Change | undefined
  /** What is wrong by field; anything there keeps the SQL from being shown. */
  problems: Problems
  danger?: boolean
  /** Above the SQL. */
  warning?: ReactNode
  /** What these have told is old when the change is made. */
  forgets: readonly Endpoint[]
  onClose: () => void
  /** The fields; they show what is wrong once somebody has tried to go on. */
  children: (shown: Problems | Record<string, never>) => ReactNode
}

/** The panel that makes an object of the database or changes one: fields, then the SQL, then it is done and recorded. */
export function ObjectForm<Problems extends object>(props: Props<Problems>) {
  const { projectRef, kind, name, size = 'xlarge', done, change, problems, onClose } = props
  const { title = panelTitle(kind, name) } = props
  const verb = panelVerb(kind, name !== undefined)
  const [tried, setTried] = useState(false)
  const [review, setReview] = useState<Change>()
  const isFine = Object.keys(problems).length === 0
  function submit() {
    setTried(true)
    if (isFine) setReview(change)
  }
  // The dialog is beside the panel and not in it: submitting the one form must not submit the other.
  return (
    <>
      <SidePanel
        open
        size={size}
        onClose={onClose}
        title={title}
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
          {props.children(tried ? problems : {})}
          {tried && !isFine && <Alert variant="danger" title="Some fields need correction" />}
        </div>
      </SidePanel>
      <ReviewChange
        projectRef={projectRef}
        change={review}
        title={verb}
        verb={verb}
        danger={props.danger ?? false}
        onClose={() => setReview(undefined)}
        onDone={async () => {
          toast.success(done)
          await forget(...props.forgets)
          onClose()
        }}
      >
        {props.warning}
      </ReviewChange>
    </>
  )
}
