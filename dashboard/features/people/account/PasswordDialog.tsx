import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { auth } from '../../../session/identity/auth.ts'
import { isAcceptable } from '../../../ui/controls/password-rules.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { FormDialog } from '../../../ui/floats/FormDialog.tsx'
import { PasswordField } from '../../../ui/controls/PasswordField.tsx'
import { PasswordRules } from '../../../ui/controls/PasswordRules.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { forgetAuth } from './account-data.ts'
import { useAuthAction } from './use-auth-action.ts'

type Props = { open: boolean; email: string; onClose: () => void }
type Values = { password: string; nonce: string }

/** Asks for the new password and, in a session older than a day, for a code from a mail. */
export function PasswordDialog(props: Props) {
  // What was typed is forgotten when the dialog closes.
  return props.open ? <OpenPasswordDialog {...props} /> : null
}

function OpenPasswordDialog({ email, onClose }: Props) {
  const { register, control, handleSubmit, formState } = useForm<Values>({
    defaultValues: { password: '', nonce: '' },
  })
  const password = useWatch({ control, name: 'password' })
  const [mailed, setMailed] = useState(false)
  const { errors } = formState
  const askAgain = useAuthAction(
    async () => (await auth()).reauthenticate(),
    () => setMailed(true),
  )
  const save = useAuthAction(
    async ({ password: chosen, nonce }: Values) =>
      (await auth()).updateUser({ password: chosen, ...(nonce ? { nonce: nonce.trim() } : {}) }),
    async () => {
      onClose()
      toast.success('Password changed')
      await forgetAuth('user', 'sessions')
    },
  )
  const needsCode = save.error?.code === 'reauthentication_needed' && !mailed
  return (
    <FormDialog
      title="Change password"
      verb="Save password"
      disabled={needsCode}
      pending={save.isPending}
      onSubmit={handleSubmit((values) => save.mutate(values))}
      onClose={onClose}
    >
      <div className="form-stack">
        <PasswordField
          label="New password"
          autoComplete="new-password"
          error={
            errors.password?.message ?? (mailed || needsCode ? undefined : save.error?.message)
          }
          below={<PasswordRules password={password} />}
          {...register('password', {
            validate: (chosen) =>
              isAcceptable(chosen) || 'The password does not meet the rules yet',
          })}
        />
        {needsCode && (
          <Alert
            variant="info"
            title="Confirm your identity"
            action={
              <Button busy={askAgain.isPending} onClick={() => askAgain.mutate(undefined)}>
                Send code
              </Button>
            }
          >
            You signed in a while ago. We will email a code to {email}.
            {askAgain.error && <p className="err">{askAgain.error.message}</p>}
          </Alert>
        )}
        {mailed && (
          <TextField
            label="Code from the email"
            mono
            autoComplete="one-time-code"
            error={errors.nonce?.message ?? save.error?.message}
            {...register('nonce', { required: 'Enter the code from the email' })}
          />
        )}
      </div>
    </FormDialog>
  )
}
