import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { auth } from '../../../session/identity/auth.ts'
import { useHiddenAtSignIn, useContent } from '../../../session/organization/mode.ts'
import { safeReturnTo } from '../../../session/identity/return-to.ts'
import { PasswordField } from '../../../ui/controls/PasswordField.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { PasswordRules, isAcceptable } from '../../../ui/controls/PasswordRules.tsx'
import { errorsAt } from './auth-error.ts'
import { AuthForm, useAuthCall, emailRules, CheckMail } from './AuthForm.tsx'
import { ProviderButtons } from './ProviderButtons.tsx'

type Props = { returnTo: string | undefined; onSignedIn: () => void }

export function SignUpPage({ returnTo, onSignedIn }: Props) {
  const { register, control, handleSubmit, formState } = useForm({
    defaultValues: { email: '', password: '' },
  })
  const password = useWatch({ control, name: 'password' })
  const { errors } = formState
  const [mailed, setMailed] = useState<string>()
  const signUp = useAuthCall(
    async (input: { email: string; password: string }) =>
      (await auth()).signUp({
        ...input,
        options: { emailRedirectTo: `${location.origin}${safeReturnTo(returnTo)}` },
      }),
    // Without mail the account is usable at once; with it, it waits for the link.
    ({ session }, { email }) => (session ? onSignedIn() : setMailed(email)),
  )
  const wrong = errorsAt(signUp.error, 'email', 'password')
  const off = useHiddenAtSignIn()
  // Who is invited can sign up all the same; the server knows whom an organization waits for.
  if (off('dashboard_auth:sign_up') && !returnTo?.startsWith('/join'))
    return (
      <>
        <h1>Sign-up is closed</h1>
        <p className="muted t14">
          Ask the operator of this installation for an account.{' '}
          <Link className="link" to="/sign-in" search={returnTo ? { returnTo } : {}}>
            Sign in
          </Link>
        </p>
      </>
    )
  if (mailed)
    return (
      <CheckMail email={mailed}>
        Open the link in it to confirm your email. You are then signed in.
      </CheckMail>
    )
  return (
    <>
      <h1>Create an account</h1>
      <p className="muted t14">
        Have one?{' '}
        <Link className="link" to="/sign-in" search={returnTo ? { returnTo } : {}}>
          Sign in
        </Link>
      </p>
      {!off('dashboard_auth:sign_in_with_email') && (
        <>
          <AuthForm
            call={signUp}
            error={wrong.form}
            verb="Create account"
            onSubmit={handleSubmit((values) => signUp.mutate(values))}
          >
            <TextField
              label="Email"
              type="email"
              autoComplete="username"
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page is here to be filled in
              autoFocus
              error={errors.email?.message ?? wrong.email}
              {...register('email', emailRules)}
            />
            <PasswordField
              label="Password"
              autoComplete="new-password"
              error={errors.password?.message ?? wrong.password}
              below={<PasswordRules password={password} />}
              {...register('password', {
                validate: (password) =>
                  isAcceptable(password) || 'The password does not meet the rules yet',
              })}
            />
          </AuthForm>
          <p className="or">or</p>
        </>
      )}
      <ProviderButtons returnTo={returnTo} />
      <Terms />
    </>
  )
}

/** What somebody who creates an account agrees to, as far as the operator has such documents. */
function Terms() {
  const { terms_url: terms, privacy_url: privacy } = useContent()
  const off = useHiddenAtSignIn()
  if (off('dashboard_auth:show_tos')) return null
  const documents = [
    { name: 'terms of service', url: terms },
    { name: 'privacy policy', url: privacy },
  ].flatMap(({ name, url }) =>
    url === null
      ? []
      : [
          <a key={name} className="link" href={url} target="_blank" rel="noreferrer">
            {name}
          </a>,
        ],
  )
  if (documents.length === 0) return null
  return (
    <p className="muted t12 auth-terms">
      By creating an account, you agree to the{' '}
      {documents.flatMap((document, at) => (at === 0 ? [document] : [' and the ', document]))}.
    </p>
  )
}
