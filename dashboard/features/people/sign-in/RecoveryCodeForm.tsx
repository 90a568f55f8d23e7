import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { recoveryCodeRules, showRecoveryCode } from '../../../session/identity/recovery-codes.ts'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { errorsAt } from './auth-error.ts'
import { AuthForm } from './AuthForm.tsx'
import { useAuthCall } from './use-auth-call.ts'

type Props = { onVerified: () => void; after: ReactNode }

/** For who has lost their authenticator app. A code is used up by this. */
export function RecoveryCodeForm({ onVerified, after }: Props) {
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
