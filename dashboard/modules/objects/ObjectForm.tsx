import { useState, type ReactNode } from 'react'
import type { Endpoint } from '#contract/endpoint'
import { Alert } from '../../ui/Alert.tsx'
import { FormPanel } from '../../ui/floats/FormPanel.tsx'
import type { SidePanelSize } from '../../ui/floats/SidePanelBox.tsx'
import { useReview, type Asked } from './ReviewChange.tsx'

/** The title of the panel of an object of the database. `name`: of the one that is changed. */
export const panelTitle = (kind: string, name: string | undefined): ReactNode =>
  name === undefined ? (
    `New ${kind}`
  ) : (
    <>
      Edit <span className="mono">{name}</span>
    </>
  )

/** The button that makes it or changes it: "Create trigger", "Save trigger". */
export const panelVerb = (kind: string, editing: boolean): string =>
  `${editing ? 'Save' : 'Create'} ${kind}`

type Props<Problems extends object> = {
  projectRef: string
  title: ReactNode
  size?: SidePanelSize
  /** The change that the fields make; undefined while they make none. */
  asked: Asked | undefined
  /** On the button that shows its SQL. */
  review: 'Review' | 'Review SQL'
  /** What is wrong by field; anything there keeps the SQL from being shown. */
  problems?: Problems
  /** Why nothing can be changed. */
  locked?: string | undefined
  error?: string | undefined
  /** Other changes, at the left of the footer. */
  others?: (ask: (asked: Asked) => void) => ReactNode
  /** What these have told is old when the change is made. */
  forgets: readonly Endpoint[]
  onClose: () => void
  /** The fields; they show what is wrong once somebody has tried to go on. */
  children: (shown: Problems | Record<string, never>) => ReactNode
}

/** The panel that makes an object of the database or changes one: fields, then the SQL, then it is done and recorded. */
export function ObjectForm<Problems extends object>(props: Props<Problems>) {
  const { projectRef, title, size, asked, locked, onClose } = props
  const [tried, setTried] = useState(false)
  const review = useReview(projectRef, ...props.forgets)
  const ask = (change: Asked) => review.ask({ ...change, onDone: onClose })
  const problems = props.problems && Object.keys(props.problems).length > 0 && props.problems
  function submit() {
    setTried(true)
    if (asked && !problems) ask(asked)
  }
  // The dialog is beside the panel and not in it: submitting the one form must not submit the other.
  return (
    <>
      <FormPanel
        title={title}
        size={size}
        verb={props.review}
        error={props.error}
        disabled={!asked}
        reason={locked}
        others={props.others?.(ask)}
        onSubmit={submit}
        onClose={onClose}
      >
        <div className="form-stack">
          {props.children((tried && problems) || {})}
          {tried && problems && <Alert variant="danger" title="Some fields need correction" />}
        </div>
      </FormPanel>
      {review.dialog}
    </>
  )
}
