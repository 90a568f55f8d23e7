import { Link } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { externalAuth } from '../../../session/identity/external-auth.ts'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { errorsAt } from './auth-error.ts'
import { AuthForm, useAuthCall, emailRules } from './AuthForm.tsx'
import { landingFor, rememberSignIn } from './external-sign-in.ts'

/** The domain of an address is what tells which organization's provider to go to. */
const domainOf = (email: string) => email.trim().split('@').at(-1)?.toLowerCase() ?? ''

/** /sign-in-sso: to the identity provider of the organization that has the address's domain. */
export function SignInSsoPage({ returnTo }: { returnTo: string | undefined }) {
  const { register, handleSubmit, formState } = useForm({ defaultValues: { email: '' } })
  const go = useAuthCall(
    ({ email }: { email: string }) =>
      externalAuth().signInWithSSO({
        domain: domainOf(email),
        options: { redirectTo: landingFor(returnTo), skipBrowserRedirect: true },
      }),
    ({ url }) => {
      rememberSignIn('sso')
      location.assign(url)
    },
  )
  const wrong = errorsAt(go.error, 'email')
  return (
    <>
      <h1>Single sign-on</h1>
      <p className="muted t14">Sign in with your organization's identity provider.</p>
      <AuthForm
        call={go}
        error={wrong.form}
        verb="Continue"
        leaving={go.isSuccess}
        onSubmit={handleSubmit((values) => go.mutate(values))}
        after={
          <Link className="link t12" to="/sign-in" search={returnTo ? { returnTo } : {}}>
            Back to sign in
          </Link>
        }
      >
        <TextField
          label="Work email"
          type="email"
          autoComplete="username"
          help="Its domain says which organization you belong to."
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page is here to be filled in
          autoFocus
          error={formState.errors.email?.message ?? wrong.email}
          {...register('email', emailRules)}
        />
      </AuthForm>
    </>
  )
}
