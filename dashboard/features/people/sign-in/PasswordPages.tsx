import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { auth, linkError } from '../../../session/identity/auth.ts'
import { buttonClass } from '../../../ui/controls/Button.tsx'
import { PasswordField } from '../../../ui/controls/PasswordField.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { PasswordRules, isAcceptable } from '../../../ui/controls/PasswordRules.tsx'
import { errorsAt } from './auth-error.ts'
import { AuthForm, CheckMail, emailRules, useAuthCall } from './AuthForm.tsx'

type Props = {
  /** The link in the mail signs in; without that there is nobody whose password could be changed. */
  signedIn: boolean
  onDone: () => void
}

export function ResetPasswordPage({ signedIn, onDone }: Props) {
  return signedIn ? <NewPassword onDone={onDone} /> : <DeadLink />
}

function NewPassword({ onDone }: { onDone: () => void }) {
  const { register, control, handleSubmit, formState } = useForm({
    defaultValues: { password: '' },
  })
  const password = useWatch({ control, name: 'password' })
  const save = useAuthCall(
    async (input: { password: string }) => (await auth()).updateUser(input),
    () => {
      toast.success('Password changed')
      onDone()
    },
  )
  const wrong = errorsAt(save.error, 'password')
  return (
    <>
      <h1>Choose a new password</h1>
      <p className="muted t14">Choose one that you do not use anywhere else.</p>
      <AuthForm
        call={save}
        error={wrong.form}
        verb="Save password"
        onSubmit={handleSubmit((values) => save.mutate(values))}
      >
        <PasswordField
          label="New password"
          autoComplete="new-password"
          error={formState.errors.password?.message ?? wrong.password}
          below={<PasswordRules password={password} />}
          {...register('password', {
            validate: (password) =>
              isAcceptable(password) || 'The password does not meet the rules yet',
          })}
        />
      </AuthForm>
    </>
  )
}

function DeadLink() {
  return (
    <>
      <h1>This link no longer works</h1>
      <div className="auth-note">
        <p className="muted t14">
          {linkError ?? 'Links to choose a new password work once and for an hour.'} Ask for a new
          one.
        </p>
        <Link to="/forgot-password" className={buttonClass({ variant: 'primary', size: 'form' })}>
          Send a new link
        </Link>
      </div>
    </>
  )
}

export function ForgotPasswordPage() {
  const { register, handleSubmit, formState } = useForm({ defaultValues: { email: '' } })
  const [mailed, setMailed] = useState<string>()
  const recover = useAuthCall(
    async ({ email }: { email: string }) =>
      (await auth()).resetPasswordForEmail(email, {
        redirectTo: `${location.origin}/reset-password`,
      }),
    (_, { email }) => setMailed(email),
  )
  const wrong = errorsAt(recover.error, 'email')
  if (mailed)
    return (
      <CheckMail email={mailed}>
        If there is an account with this address, the mail has a link to choose a new password.
      </CheckMail>
    )
  return (
    <>
      <h1>Forgot your password?</h1>
      <p className="muted t14">We email you a link to choose a new one.</p>
      <AuthForm
        call={recover}
        error={wrong.form}
        verb="Send link"
        onSubmit={handleSubmit((values) => recover.mutate(values))}
        after={
          <Link className="link t12" to="/sign-in">
            Back to sign in
          </Link>
        }
      >
        <TextField
          label="Email"
          type="email"
          autoComplete="username"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page is here to be filled in
          autoFocus
          error={formState.errors.email?.message ?? wrong.email}
          {...register('email', emailRules)}
        />
      </AuthForm>
    </>
  )
}
