import type { ComponentProps, ReactNode } from 'react'
import { Alert } from '../Alert.tsx'
import { Button } from './Button.tsx'

type Props = Omit<ComponentProps<'form'>, 'onSubmit' | 'noValidate'> & {
  /** What the last attempt failed of, shown inside the form; undefined when it did not (or when a toast tells it). */
  error: string | undefined
  pending: boolean
  onSubmit: () => unknown
  children: ReactNode
}

/** The shell of every form: it cannot be sent twice, and it says what went wrong where the reader looks. */
export function Form({ error, pending, onSubmit, children, ...rest }: Props) {
  return (
    <form
      {...rest}
      noValidate
      aria-busy={pending || undefined}
      onSubmit={(event) => {
        event.preventDefault()
        if (!pending) onSubmit()
      }}
    >
      {children}
      {error && <Alert variant="danger" title={error} />}
    </form>
  )
}

type SaveCancelProps = {
  /** Something was changed: until then there is nothing to save. */
  dirty: boolean
  pending: boolean
  /** Why this person may not save. */
  reason?: string | false | undefined
  onCancel: () => void
}

/** The foot of a card that holds a form. */
export function SaveCancel({ dirty, pending, reason, onCancel }: SaveCancelProps) {
  return (
    <>
      <Button size="form" disabled={!dirty} onClick={onCancel}>
        Cancel
      </Button>
      <Button
        type="submit"
        size="form"
        variant="primary"
        busy={pending}
        disabled={!dirty}
        disabledReason={reason}
      >
        Save
      </Button>
    </>
  )
}

type SubmitCancelProps = {
  verb: string
  danger?: boolean | undefined
  /** The button does not work yet. */
  disabled?: boolean | undefined
  /** Why it does not. */
  reason?: string | undefined
  pending: boolean
  onCancel: () => void
}

/** The foot of a dialog or a panel that is a form. */
export function SubmitCancel(props: SubmitCancelProps) {
  const { verb, danger = false, disabled, reason, pending, onCancel } = props
  return (
    <>
      <Button size="form" onClick={onCancel}>
        Cancel
      </Button>
      <Button
        type="submit"
        size="form"
        variant={danger ? 'danger' : 'primary'}
        busy={pending}
        disabled={disabled}
        disabledReason={reason}
      >
        {verb}
      </Button>
    </>
  )
}
