import { useState } from 'react'
import { authUsers } from '#contract/auth/auth-users'
import { useCall } from '../../../api/client.ts'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { FormDialog } from '../../../ui/floats/FormDialog.tsx'
import { PasswordField } from '../../../ui/controls/PasswordField.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { numberText } from '../../../ui/text/number.ts'
import { ofUsers, ofUserLists } from './queries.ts'

type Props = { projectRef: string; onClose: () => void }

/** Makes a user without a mail. */
export function CreateUserDialog({ projectRef, onClose }: Props) {
  const [values, setValues] = useState({ email: '', phone: '', password: '' })
  const [confirmed, setConfirmed] = useState(true)
  const create = useCall(authUsers.create, {
    changes: ofUsers,
    onSuccess: () => {
      toast.success('User created')
      onClose()
    },
  })
  const { email, phone, password } = values
  const set = (part: Partial<typeof values>) => setValues({ ...values, ...part })
  return (
    <FormDialog
      title="Create a user"
      verb="Create user"
      disabled={!email.trim() && !phone.trim()}
      pending={create.isPending}
      onClose={onClose}
      onSubmit={() =>
        create.mutate({
          ref: projectRef,
          ...(email.trim() ? { email: email.trim() } : {}),
          ...(phone.trim() ? { phone: phone.trim() } : {}),
          ...(password ? { password } : {}),
          auto_confirm: confirmed,
        })
      }
    >
      <TextField
        label="Email"
        type="email"
        autoComplete="off"
        value={email}
        onChange={({ target }) => set({ email: target.value })}
      />
      <TextField
        label="Phone"
        help="With the country code. Enter an email or a phone number."
        autoComplete="off"
        value={phone}
        onChange={({ target }) => set({ phone: target.value })}
      />
      <PasswordField
        label="Password"
        help="Without one, the user signs in with a link or code."
        autoComplete="new-password"
        value={password}
        onChange={({ target }) => set({ password: target.value })}
      />
      <Checkbox
        label="Auto-confirm this user"
        checked={confirmed}
        onChange={({ target }) => setConfirmed(target.checked)}
      />
      {create.error && <Failed message={create.error.message} />}
    </FormDialog>
  )
}

/** Sends somebody a mail with which they make their account. */
export function InviteDialog({ projectRef, onClose }: Props) {
  const [email, setEmail] = useState('')
  const invite = useCall(authUsers.invite, {
    changes: ofUsers,
    onSuccess: () => {
      toast.success(`Invitation sent to ${email.trim()}`)
      onClose()
    },
  })
  return (
    <FormDialog
      title="Invite a user"
      verb="Send invitation"
      disabled={!email.trim()}
      pending={invite.isPending}
      onClose={onClose}
      onSubmit={() => invite.mutate({ ref: projectRef, email: email.trim() })}
    >
      <TextField
        label="Email"
        type="email"
        autoComplete="off"
        help="They get an email with a link that leads to the Site URL of this project."
        value={email}
        onChange={({ target }) => setEmail(target.value)}
      />
      {invite.error && <Failed message={invite.error.message} />}
    </FormDialog>
  )
}

function Failed({ message }: { message: string }) {
  return (
    <p className="err" role="alert">
      {message}
    </p>
  )
}

type DeleteUsersDialogProps = {
  projectRef: string
  ids: readonly string[]
  /** Of a single one. */
  name?: string
  onDeleted: () => void
  onClose: () => void
}

/** Asks before users go, all together or none. */
export function DeleteUsersDialog({
  projectRef,
  ids,
  name,
  onDeleted,
  onClose,
}: DeleteUsersDialogProps) {
  const remove = useCall(authUsers.removeMany, {
    changes: ofUserLists,
    onSuccess: ({ deleted }) => {
      toast.success(deleted === 1 ? 'User deleted' : `${numberText(deleted)} users deleted`)
      onDeleted()
    },
  })
  const what = name ?? (ids.length === 1 ? 'this user' : `${numberText(ids.length)} users`)
  return (
    <ConfirmDialog
      open
      title={`Delete ${what}?`}
      verb={ids.length === 1 ? 'Delete user' : 'Delete users'}
      error={remove.error?.message}
      pending={remove.isPending}
      onClose={onClose}
      onConfirm={() => remove.mutate({ ref: projectRef, ids: [...ids] })}
    >
      <p>
        Their sessions end, and their identities and second factors are deleted. Foreign keys decide
        whether rows that refer to them are deleted, are kept or block the deletion. This cannot be
        undone.
      </p>
    </ConfirmDialog>
  )
}
