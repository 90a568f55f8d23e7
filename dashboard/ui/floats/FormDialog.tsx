import type { ReactNode } from 'react'
import { Dialog } from './Dialog.tsx'
import type { DialogSize } from './DialogBox.tsx'
import { Form, SubmitCancel } from '../controls/Form.tsx'

type Props = {
  title: ReactNode
  size?: DialogSize
  /** The verb on the button, as "Delete project". */
  verb: string
  danger?: boolean
  /** The button does not work yet. */
  disabled?: boolean
  pending?: boolean
  /** What the last attempt failed of, where the children do not say it. */
  error?: string | undefined
  onSubmit: () => unknown
  onClose: () => void
  /** The fields. */
  children: ReactNode
}

/** A dialog that is a form: Enter sends it, Escape and Cancel close it. */
export function FormDialog(props: Props) {
  const { title, size, verb, danger, disabled, pending = false } = props
  const { error, onSubmit, onClose, children } = props
  return (
    <Dialog
      open
      {...(size ? { size } : {})}
      onClose={onClose}
      title={title}
      shell={(inside) => (
        <Form error={error} pending={pending} onSubmit={() => !disabled && onSubmit()}>
          {inside}
        </Form>
      )}
      footer={<SubmitCancel {...{ verb, danger, disabled, pending }} onCancel={onClose} />}
    >
      {children}
    </Dialog>
  )
}
