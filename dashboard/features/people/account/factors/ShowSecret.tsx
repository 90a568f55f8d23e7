import { useForm } from 'react-hook-form'
import { auth } from '../../../../session/identity/auth.ts'
import { CopyText } from '../../../../ui/text/CopyText.tsx'
import { FormDialog } from '../../../../ui/floats/FormDialog.tsx'
import { TextField } from '../../../../ui/controls/TextField.tsx'
import { toast } from '../../../../ui/floats/toast.ts'
import { forgetAuth } from '../account-data.ts'
import { codeRules, plainCode } from './code-rules.ts'
import { useAuthAction } from '../use-auth-action.ts'

/** A factor that was begun; the secret is shown here and never again. */
export type Enrolment = { id: string; picture: string; secret: string }

/** Second step: the app takes the secret, its first code proves it. */
export function ShowSecret({ enrolment, onClose }: { enrolment: Enrolment; onClose: () => void }) {
  const { register, handleSubmit, formState, resetField } = useForm({ defaultValues: { code: '' } })
  const verify = useAuthAction(
    async ({ code }: { code: string }) =>
      (await auth()).mfa.challengeAndVerify({ factorId: enrolment.id, code }),
    async () => {
      onClose()
      toast.success('Two-factor authentication is on for this app')
      await forgetAuth('factors', 'user', 'sessions')
    },
  )
  return (
    <FormDialog
      title="Scan the code"
      verb="Verify"
      pending={verify.isPending}
      onSubmit={handleSubmit(({ code }) =>
        verify.mutate({ code: plainCode(code) }, { onError: () => resetField('code') }),
      )}
      onClose={onClose}
    >
      <div className="form-stack">
        <div className="qr">
          <img src={enrolment.picture} alt="Code to scan with the authenticator app" />
          <ol>
            <li>Open your authenticator app and scan the code.</li>
            <li>Enter the six digits that it shows now.</li>
          </ol>
        </div>
        <div className="labelled">
          <span>Or type this secret into the app</span>
          <CopyText text={enrolment.secret} what="secret" />
        </div>
        <TextField
          label="Code"
          mono
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={7}
          error={formState.errors.code?.message ?? verify.error?.message}
          {...register('code', codeRules)}
        />
      </div>
    </FormDialog>
  )
}
