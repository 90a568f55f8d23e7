import type { ReactNode } from 'react'
import { Form, SubmitCancel } from '../controls/Form.tsx'
import { SidePanel } from './SidePanel.tsx'
import type { SidePanelSize } from './SidePanelBox.tsx'

type Props = {
  title: ReactNode
  size?: SidePanelSize | undefined
  /** The verb on the button, as "Create job". */
  verb: string
  /** What the last attempt failed of, where no field says it. */
  error?: string | undefined
  /** The button does not work yet. */
  disabled?: boolean
  /** Why it does not. */
  reason?: string | undefined
  pending?: boolean
  /** What else can be done, at the left of the footer. */
  others?: ReactNode
  onSubmit: () => unknown
  onClose: () => void
  children: ReactNode
}

/** A panel at the right that is a form: Enter sends it, Escape and Cancel close it. */
export function FormPanel(props: Props) {
  const { title, size, verb, error, disabled, reason, pending = false } = props
  const { others, onSubmit, onClose, children } = props
  return (
    <SidePanel
      open
      {...(size ? { size } : {})}
      onClose={onClose}
      title={title}
      shell={(inside) => (
        <Form error={error} pending={pending} onSubmit={onSubmit}>
          {inside}
        </Form>
      )}
      footer={
        <>
          {others && (
            <>
              {others}
              <span className="grow" />
            </>
          )}
          <SubmitCancel {...{ verb, pending, disabled, reason }} onCancel={onClose} />
        </>
      }
    >
      {children}
    </SidePanel>
  )
}
