import type { ReactNode } from 'react'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Form } from '../../../ui/controls/Form.tsx'

type Props = {
  /** The call that the form makes. */
  call: { isPending: boolean; isError: boolean; reset: () => void }
  /** What it was refused for, when that is about no field. */
  error: string | undefined
  verb: ReactNode
  /** While the browser leaves for another place. */
  leaving?: boolean
  disabled?: boolean
  onSubmit: () => unknown
  /** Below the button. */
  after?: ReactNode
  children: ReactNode
}

/** A form of the sign-in pages: its fields, why the last attempt failed, and one button. */
export function AuthForm(props: Props) {
  const { call, error, verb, leaving = false, disabled = false, onSubmit, after, children } = props
  return (
    <Form
      error={undefined}
      pending={call.isPending}
      onSubmit={onSubmit}
      // What was wrong is being changed: it is not said of the new value.
      onInput={() => call.isError && call.reset()}
    >
      {children}
      {error && <Alert variant="danger" title={error} />}
      <Button
        type="submit"
        variant="primary"
        size="form"
        className="wide"
        busy={call.isPending || leaving}
        disabled={disabled}
      >
        {verb}
      </Button>
      {after}
    </Form>
  )
}
