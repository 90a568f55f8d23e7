import type { ReactNode } from 'react'
import { Button } from '../controls/Button.tsx'
import { Dialog } from './Dialog.tsx'
import type { DialogSize } from './DialogBox.tsx'
import { Form } from '../controls/Form.tsx'

type Props = {
  title: ReactNode
  size?: DialogSize
  /** The verb on the button, as "Delete project". */
  verb: string
  danger?: boolean
  /** The button does not work yet. */
  disabled?: boolean
  pending: boolean
  onSubmit: () => unknown
  onClose: () => void
  /** The fields, and at their end what the last attempt failed of. */
  children: ReactNode
}

/** A dialog that is a form: Enter sends it, Escape and Cancel close it. */
export function FormDialog(props: Props) {
  const { title, size, verb, danger, disabled, pending, onSubmit, onClose, children } = props
  return (
    <Dialog
      open
      {...(size ? { size } : {})}
      onClose={onClose}
      title={title}
      shell={(inside) => (
        <Form error={undefined} pending={pending} onSubmit={() => !disabled && onSubmit()}>
          {inside}
        </Form>
      )}
      footer={
        <>
          <Button size="form" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            size="form"
            variant={danger ? 'danger' : 'primary'}
            busy={pending}
            disabled={disabled}
          >
            {verb}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
