import { useForm } from 'react-hook-form'
import { auth } from '../../../session/identity/auth.ts'
import { FormDialog } from '../../../ui/floats/FormDialog.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { forgetAuth } from './account-data.ts'
import { useAuthAction } from './use-auth-action.ts'

type Props = { open: boolean; current: string; onClose: () => void }

/** Asks for the new address. It counts when the mails to both addresses are confirmed. */
export function EmailDialog(props: Props) {
  // What was typed is forgotten when the dialog closes.
  return props.open ? <OpenEmailDialog {...props} /> : null
}

function OpenEmailDialog({ current, onClose }: Props) {
  const { register, handleSubmit, formState } = useForm({ defaultValues: { email: '' } })
  const change = useAuthAction(
    async ({ email }: { email: string }) =>
      (await auth()).updateUser({ email }, { emailRedirectTo: `${location.origin}/account/me` }),
    async () => {
      onClose()
      toast.success('Confirm the change in the emails we sent')
      await forgetAuth('user')
    },
  )
  return (
    <FormDialog
      title="Change email"
      verb="Send confirmation"
      pending={change.isPending}
      onSubmit={handleSubmit(({ email }) => change.mutate({ email: email.trim() }))}
      onClose={onClose}
    >
      <TextField
        label="New email"
        type="email"
        autoComplete="email"
        help={`We email a link to it and to ${current}. The change takes effect once you open both.`}
        error={formState.errors.email?.message ?? change.error?.message}
        {...register('email', {
          required: 'Enter the new email',
          validate: (email) => {
            if (!/^\S+@\S+\.\S+$/.test(email.trim())) return 'This is not an email address'
            return (
              email.trim().toLowerCase() !== current.toLowerCase() || 'This is already your email'
            )
          },
        })}
      />
    </FormDialog>
  )
}
