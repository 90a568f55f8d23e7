import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { auth } from '../../../../session/identity/auth.ts'
import { FormDialog } from '../../../../ui/floats/FormDialog.tsx'
import { TextField } from '../../../../ui/controls/TextField.tsx'
import { type Enrolment, ShowSecret } from './ShowSecret.tsx'
import { useAuthAction } from '../use-auth-action.ts'

type Props = { open: boolean; taken: readonly string[]; onClose: () => void }

/** Two steps: a name for the app, then its code. What was begun and not finished counts for nothing. */
export function AddFactorDialog(props: Props) {
  return props.open ? <OpenAddFactorDialog {...props} /> : null
}

function OpenAddFactorDialog({ taken, onClose }: Props) {
  const [enrolment, setEnrolment] = useState<Enrolment>()
  const { register, handleSubmit, formState } = useForm({
    defaultValues: { name: taken.length === 0 ? 'Authenticator app' : '' },
  })
  const enroll = useAuthAction(
    async ({ name }: { name: string }) =>
      (await auth()).mfa.enroll({ factorType: 'totp', friendlyName: name, issuer: 'Plinth' }),
    ({ id, totp }) => setEnrolment({ id, picture: totp.qr_code, secret: totp.secret }),
  )
  if (enrolment) return <ShowSecret enrolment={enrolment} onClose={onClose} />
  return (
    <FormDialog
      title="Add an authenticator app"
      verb="Continue"
      pending={enroll.isPending}
      onSubmit={handleSubmit(({ name }) => enroll.mutate({ name: name.trim() }))}
      onClose={onClose}
    >
      <TextField
        label="Name"
        autoComplete="off"
        help="Helps you tell your apps apart. For example, the name of your phone."
        error={formState.errors.name?.message ?? enroll.error?.message}
        {...register('name', {
          validate: (name) => {
            if (!name.trim()) return 'Enter a name'
            if (name.trim().length > 64) return 'At most 64 characters'
            return !taken.includes(name.trim()) || 'An app with this name already exists'
          },
        })}
      />
    </FormDialog>
  )
}
