import { type ReactNode, useState } from 'react'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { Form } from './Form.tsx'
import { TextField } from './TextField.tsx'

type Props = {
  open: boolean
  onClose: () => void
  title: ReactNode
  /** The verb on the button, as "Delete project". */
  verb: string
  danger?: boolean
  /** The name to type before the button works. */
  typeName?: string
  error: string | undefined
  pending: boolean
  onConfirm: () => void
  /** What happens and what is lost. */
  children: ReactNode
}

/** Asks before something that hurts. Focus starts at Cancel, or at the name to type. */
export function ConfirmDialog(props: Props) {
  // What was typed is forgotten when the dialog closes.
  return props.open ? <OpenConfirmDialog {...props} /> : null
}

function OpenConfirmDialog({
  onClose,
  title,
  verb,
  danger = true,
  typeName,
  error,
  pending,
  onConfirm,
  children,
}: Props) {
  const [typed, setTyped] = useState('')
  const matches = typeName === undefined || typed.trim() === typeName
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      shell={(inside) => (
        <Form error={undefined} pending={pending} onSubmit={() => matches && onConfirm()}>
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
            disabled={!matches}
          >
            {verb}
          </Button>
        </>
      }
    >
      {children}
      {typeName !== undefined && (
        <TextField
          label={
            <span className="plain">
              Type <span className="mono">{typeName}</span> to confirm
            </span>
          }
          mono
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
      {error && (
        <p className="err" role="alert">
          {error}
        </p>
      )}
    </Dialog>
  )
}
