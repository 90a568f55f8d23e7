import { memo, type ReactNode, useState } from 'react'
import { FormDialog } from './FormDialog.tsx'
import { TextField } from '../controls/TextField.tsx'

type Props = {
  open: boolean
  onClose: () => void
  title: ReactNode
  /** The verb on the button, as "Delete project". */
  verb: string
  danger?: boolean
  /** The name to type before the button works. */
  typeName?: string
  /** The button does not work yet: what there is to know first is being read. */
  waits?: boolean
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

/** While it is done, what was asked stays: what it is about is being read again, and would ask the contrary. */
const OpenConfirmDialog = memo(OpenDialog, (before, now) => before.pending && now.pending)

function OpenDialog({
  onClose,
  title,
  verb,
  danger = true,
  typeName,
  waits = false,
  error,
  pending,
  onConfirm,
  children,
}: Props) {
  const [typed, setTyped] = useState('')
  const matches = !waits && (typeName === undefined || typed.trim() === typeName)
  return (
    <FormDialog
      title={title}
      verb={verb}
      danger={danger}
      disabled={!matches}
      pending={pending}
      onSubmit={() => matches && onConfirm()}
      onClose={onClose}
    >
      {children}
      {typeName !== undefined && <TypeName name={typeName} typed={typed} onTyped={setTyped} />}
      {error && (
        <p className="err" role="alert">
          {error}
        </p>
      )}
    </FormDialog>
  )
}

type TypeNameProps = { name: string; typed: string; onTyped: (typed: string) => void }

/** The field that something has to be named in before it goes. */
export const TypeName = ({ name, typed, onTyped }: TypeNameProps) => (
  <TextField
    label={
      <span className="plain">
        Type <span className="mono">{name}</span> to confirm
      </span>
    }
    mono
    autoComplete="off"
    value={typed}
    onChange={(event) => onTyped(event.target.value)}
  />
)
