import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { auth } from '../../../session/identity/auth.ts'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { errorsAt } from './auth-error.ts'
import { AuthForm, useAuthCall, emailRules, CheckMail } from './AuthForm.tsx'

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
