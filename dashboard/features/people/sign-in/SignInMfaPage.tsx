import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { useQuery } from '@tanstack/react-query'
import { supportEmail } from '../../../session/support.ts'
import { recoveryCodeRules, showRecoveryCode } from '../../../session/identity/recovery-codes.ts'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { auth } from '../../../session/identity/auth.ts'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { errorsAt } from './auth-error.ts'
import { AuthForm, useAuthCall } from './AuthForm.tsx'

/** /sign-in-mfa: asks for the second factor of who has one, or for one of their recovery codes. */
export function SignInMfaPage({ onVerified }: { onVerified: () => void }) {
  const [lost, setLost] = useState(false)
  const after = (
    <>
      <p className="t12 muted">
        {lost ? 'Found your app? ' : 'Lost your app? '}
        <button type="button" className="link" onClick={() => setLost(!lost)}>
          {lost ? 'Use its code' : 'Use a recovery code'}
        </button>
        {lost ? '. Without any code, write to ' : ', another app you have added, or write to '}
        <a className="link" href={`mailto:${supportEmail}`}>
          {supportEmail}
        </a>
        .
      </p>
      <Link className="link t12" to="/logout">
        Sign in as someone else
      </Link>
    </>
  )
  return (
    <>
      <h1>Two-factor authentication</h1>
      <p className="muted t14">
        {lost
          ? 'Enter one of the recovery codes that you have saved. Each works once.'
          : 'Enter the code that your authenticator app shows now.'}
      </p>
      {lost ? (
        <RecoveryCodeForm onVerified={onVerified} after={after} />
      ) : (
        <AppCodeForm onVerified={onVerified} after={after} />
      )}
    </>
  )
}

type Props = { onVerified: () => void; after: ReactNode }

/** For who has lost their authenticator app. A code is used up by this. */
function RecoveryCodeForm({ onVerified, after }: Props) {
  const { register, handleSubmit, formState, setFocus } = useForm({ defaultValues: { code: '' } })
  const show = useAuthCall(({ code }: { code: string }) => showRecoveryCode(code), onVerified)
  const wrong = errorsAt(show.error, 'code')
  return (
    <AuthForm
      call={show}
      error={wrong.form}
      verb="Verify"
      onSubmit={handleSubmit(({ code }) =>
        // What was typed stays: one letter of it may be wrong.
        show.mutate({ code: code.trim() }, { onError: () => setFocus('code') }),
      )}
      after={after}
    >
      <TextField
        label="Recovery code"
        mono
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={20}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- somebody has just asked for this field
        autoFocus
        error={formState.errors.code?.message ?? wrong.code}
        {...register('code', recoveryCodeRules)}
      />
    </AuthForm>
  )
}

const factorsQuery = {
  queryKey: ['auth.verified-factors'],
  queryFn: async () => {
    const { data, error } = await (await auth()).mfa.listFactors()
    if (error) throw error
    return data.totp
  },
}

type AppCodeFormProps = { onVerified: () => void; after: ReactNode }

/** The code that an authenticator app shows now. */
function AppCodeForm({ onVerified, after }: AppCodeFormProps) {
  const factors = useQuery(factorsQuery)
  const [chosen, setChosen] = useState<string>()
  const { register, handleSubmit, formState, resetField, setFocus } = useForm({
    defaultValues: { code: '' },
  })
  const verify = useAuthCall(
    async (input: { factorId: string; code: string }) =>
      (await auth()).mfa.challengeAndVerify(input),
    onVerified,
  )
  const wrong = errorsAt(verify.error, 'code')
  const factorId = chosen ?? factors.data?.[0]?.id
  return (
    <>
      {factors.error && (
        <ErrorNote
          what="Your second factors"
          error={factors.error}
          onRetry={() => void factors.refetch()}
        />
      )}
      <AuthForm
        call={verify}
        error={wrong.form}
        verb="Verify"
        disabled={factorId === undefined}
        onSubmit={handleSubmit(({ code }) => {
          if (!factorId) return
          const shown = { factorId, code: code.replaceAll(' ', '') }
          verify.mutate(shown, {
            // A code is used up or wrong; the next one is another.
            onError: () => {
              resetField('code')
              setFocus('code')
            },
          })
        })}
        after={after}
      >
        {factors.data && factors.data.length > 1 && (
          <SelectField
            label="App"
            options={factors.data.map(({ id, friendly_name: name }) => ({
              value: id,
              label: name || 'Authenticator app',
            }))}
            value={factorId}
            onChange={setChosen}
          />
        )}
        <TextField
          label="Code"
          mono
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={7}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page is here to be filled in
          autoFocus
          error={formState.errors.code?.message ?? wrong.code}
          {...register('code', {
            validate: (code) => /^\d{6}$/.test(code.replaceAll(' ', '')) || 'A code has 6 digits',
          })}
        />
      </AuthForm>
    </>
  )
}
