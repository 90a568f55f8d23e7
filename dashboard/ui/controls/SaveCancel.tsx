import { Button } from './Button.tsx'

type Props = {
  /** Something was changed: until then there is nothing to save. */
  dirty: boolean
  pending: boolean
  /** Why this person may not save. */
  reason?: string | false | undefined
  onCancel: () => void
}

/** The foot of a card that holds a form. */
export function SaveCancel({ dirty, pending, reason, onCancel }: Props) {
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
