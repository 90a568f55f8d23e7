import { Link } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { auth, linkError } from '../../../session/identity/auth.ts'
import { useHiddenAtSignIn, useSelfHosted } from '../../../session/organization/mode.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { PasswordField } from '../../../ui/controls/PasswordField.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { errorsAt } from './auth-error.ts'
import { AuthForm, useAuthCall, emailRules } from './AuthForm.tsx'
import { rememberSignIn } from './external-sign-in.ts'
import { LastUsed, ProviderButtons } from './ProviderButtons.tsx'

type Props = { returnTo: string | undefined; onSignedIn: () => void }

export function SignInPage({ returnTo, onSignedIn }: Props) {
  const { register, handleSubmit, formState } = useForm({
    defaultValues: { email: '', password: '' },
  })
  const { errors } = formState
  const selfHosted = useSelfHosted()
  const off = useHiddenAtSignIn()
  const signIn = useAuthCall(
    async (input: { email: string; password: string }) => (await auth()).signInWithPassword(input),
    () => {
      rememberSignIn('password')
      onSignedIn()
    },
  )
  const wrong = errorsAt(signIn.error, 'email', 'password')
  const search = returnTo ? { returnTo } : {}
  return (
    <>
      <h1>Sign in</h1>
      {!selfHosted && !off('dashboard_auth:sign_up') && (
        <p className="muted t14">
          New here?{' '}
          <Link className="link" to="/sign-up" search={search}>
            Create an account
          </Link>
        </p>
      )}
      {linkError && (
        <Alert variant="warning" title="The link did not work">
          {linkError}
        </Alert>
      )}
      {!off('dashboard_auth:sign_in_with_email') && (
        <>
          <AuthForm
            call={signIn}
            error={wrong.form}
            verb={
              <>
                Sign in
                <LastUsed way="password" />
              </>
            }
            onSubmit={handleSubmit((values) => signIn.mutate(values))}
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
              autoComplete="current-password"
              labelEnd={
                <Link className="link" to="/forgot-password" search={search}>
                  Forgot password?
                </Link>
              }
              error={errors.password?.message ?? wrong.password}
              {...register('password', { required: 'Enter your password' })}
            />
          </AuthForm>
          <p className="or">or</p>
        </>
      )}
      <ProviderButtons returnTo={returnTo} />
    </>
  )
}
