import { useState, type ReactNode } from 'react'
import { useUnsaved } from '../../../session/identity/unsaved.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { Form, SaveCancel } from '../../../ui/controls/Form.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'

type Props = {
  title: string
  dirty: boolean
  pending: boolean
  /** Why this person may not save. */
  reason: string | undefined
  /** What the last attempt failed of and belongs to no field. */
  error: string | undefined
  onSubmit: () => unknown
  onCancel: () => void
  onClose: () => void
  children: ReactNode
}

/** A form in a panel over the page. Closing it with changes that are not saved asks first. */
export function GuardedPanel(props: Props) {
  const { title, dirty, pending, reason, error, onSubmit, onCancel, onClose, children } = props
  const [leaving, setLeaving] = useState(false)
  useUnsaved(dirty)
  return (
    <>
      <SidePanel
        open
        size="large"
        title={title}
        onClose={() => (dirty ? setLeaving(true) : onClose())}
        shell={(inside) => (
          <Form error={undefined} pending={pending} onSubmit={onSubmit}>
            {inside}
          </Form>
        )}
        footer={<SaveCancel dirty={dirty} pending={pending} reason={reason} onCancel={onCancel} />}
      >
        <div className="form-stack">
          {children}
          {error && (
            <p className="err" role="alert">
              {error}
            </p>
          )}
        </div>
      </SidePanel>
      <ConfirmDialog
        open={leaving}
        title="Close without saving?"
        verb="Close"
        error={undefined}
        pending={false}
        onClose={() => setLeaving(false)}
        onConfirm={onClose}
      >
        <p>Your changes are not saved yet. Closing discards them.</p>
      </ConfirmDialog>
    </>
  )
}
