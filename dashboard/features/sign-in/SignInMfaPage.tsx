import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { auth } from '../../session/auth.ts'
import { supportEmail } from '../../session/support.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { Form } from '../../ui/Form.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useAuthCall } from './use-auth-call.ts'

const factorsQuery = {
  queryKey: ['auth.verified-factors'],
  queryFn: async () => {
    const { data, error } = await (await auth()).mfa.listFactors()
    if (error) throw error
    return data.totp
  },
}

/** /sign-in-mfa: asks for the second factor of who has one. */
export function SignInMfaPage({ onVerified }: { onVerified: () => void }) {
  const factors = useQuery(factorsQuery)
  const [chosen, setChosen] = useState<string>()
  const { register, handleSubmit, formState, reset } = useForm({ defaultValues: { code: '' } })
  const verify = useAuthCall(
    async (input: { factorId: string; code: string }) =>
      (await auth()).mfa.challengeAndVerify(input),
    onVerified,
  )
  const factorId = chosen ?? factors.data?.[0]?.id
  return (
    <>
      <h1>Two-factor authentication</h1>
      <p className="muted t14">Enter the code that your authenticator app shows now.</p>
      {factors.error && (
        <ErrorNote
          what="Your second factors"
          error={factors.error}
          onRetry={() => void factors.refetch()}
        />
      )}
      <Form
        error={undefined}
        pending={verify.isPending}
        onSubmit={handleSubmit(({ code }) => {
          if (!factorId) return
          verify.mutate(
            { factorId, code: code.replaceAll(' ', '') },
            // A code is used up or wrong; the next one is another.
            { onError: () => reset({ code: '' }) },
          )
        })}
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
          error={formState.errors.code?.message}
          {...register('code', {
            validate: (code) => /^\d{6}$/.test(code.replaceAll(' ', '')) || 'A code has 6 digits',
          })}
        />
        <Button
          type="submit"
          variant="primary"
          size="form"
          className="wide"
          busy={verify.isPending}
          disabled={factorId === undefined}
        >
          Verify
        </Button>
        <p className="t12 muted">
          Lost your app? Use another one you have added, or write to{' '}
          <a className="link" href={`mailto:${supportEmail}`}>
            {supportEmail}
          </a>
          .
        </p>
        <Link className="link t12" to="/logout">
          Sign in as someone else
        </Link>
      </Form>
    </>
  )
}
