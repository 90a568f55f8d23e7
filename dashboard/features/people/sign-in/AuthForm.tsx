import type { ReactNode } from 'react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { MailCheck } from 'lucide-react'
import { platform as api } from '#contract/operations/platform'
import { Alert } from '../../../ui/Alert.tsx'
import { Button, buttonClass } from '../../../ui/controls/Button.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { supportEmail } from '../../../session/support.ts'
import { q } from '../../../api/client.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { authErrorText, SignInError } from './auth-error.ts'

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

type Answer = { data: unknown; error: { message: string; code?: string | undefined } | null }
type Data<A extends Answer> = Extract<A, { error: null }>['data']

/** One call of the auth service: what it refuses stands at the form that asked, the answer goes to `done`. */
export function useAuthCall<Input, A extends Answer>(
  run: (input: Input) => Promise<A>,
  done: (data: Data<A>, input: Input) => void,
) {
  return useMutation<Data<A>, SignInError, Input>({
    mutationFn: async (input) => {
      const { data, error } = await run(input)
      if (error) throw new SignInError(authErrorText(error.message, supportEmail), error.code)
      // Without an error the data is that of the other kind of answer.
      return data as Data<A>
    },
    onSuccess: done,
  })
}

/** Enough to catch a slip; whether an address exists only a mail can tell. */
export const emailRules = {
  required: 'Enter your email address',
  pattern: { value: /^\S+@\S+\.\S+$|^\S+@localhost$/, message: 'This is not an email address' },
}

/** A mail is on its way; nothing more to do here. */
export function CheckMail({ email, children }: { email: string; children: ReactNode }) {
  const { data: platform } = useQuery(q(api.status, {}))
  return (
    <>
      <h1 className="row">
        <Icon of={MailCheck} />
        Check your email
      </h1>
      <div className="auth-note">
        <p className="muted t14">
          We sent an email to <span className="mono">{email}</span>. {children}
        </p>
        {platform?.mailbox && (
          <p className="muted t14">
            This installation sends no email. You can find it in the{' '}
            <a className="link" href="/mailbox">
              local mailbox
            </a>
            .
          </p>
        )}
        <Link to="/sign-in" className={buttonClass({ size: 'form' })}>
          Back to sign in
        </Link>
      </div>
    </>
  )
}
