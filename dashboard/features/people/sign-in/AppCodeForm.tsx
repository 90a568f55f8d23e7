import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useForm } from 'react-hook-form'
import { auth } from '../../../session/identity/auth.ts'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { SelectField } from '../../../ui/controls/SelectField.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { errorsAt } from './auth-error.ts'
import { AuthForm } from './AuthForm.tsx'
import { useAuthCall } from './use-auth-call.ts'

const factorsQuery = {
  queryKey: ['auth.verified-factors'],
  queryFn: async () => {
    const { data, error } = await (await auth()).mfa.listFactors()
    if (error) throw error
    return data.totp
  },
}

type Props = { onVerified: () => void; after: ReactNode }

/** The code that an authenticator app shows now. */
export function AppCodeForm({ onVerified, after }: Props) {
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
