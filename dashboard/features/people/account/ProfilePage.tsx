import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useDisabledFeatures } from '../../../session/identity/profile.ts'
import { Page } from '../../../ui/Page.tsx'
import { PageHead } from '../../../ui/PageHead.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { auth } from '../../../session/identity/auth.ts'
import { FormDialog } from '../../../ui/floats/FormDialog.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { DeleteAccountCard } from './DeleteAccountCard.tsx'
import { IdentitiesCard } from './IdentitiesCard.tsx'
import { ProfileCard } from './ProfileCard.tsx'
import { userQuery, forgetAuth } from './account-data.ts'
import { useAuthAction } from './use-auth-action.ts'
import { PendingEmail } from './PendingEmail.tsx'
import './account.css'

/** /account/me */
export function ProfilePage({ onDeleted }: { onDeleted: () => void }) {
  const off = useDisabledFeatures()
  return (
    <Page width="form">
      <PageHead title="Profile" help="Your personal details and how you sign in." />
      <div className="form-stack">
        {!off('profile:show_information') && <ProfileCard />}
        {!off('profile:show_email') && <EmailCard />}
        <IdentitiesCard />
        {!off('profile:show_account_deletion') && <DeleteAccountCard onDeleted={onDeleted} />}
      </div>
    </Page>
  )
}

/** The address one signs in with, and a change of it that waits to be confirmed. */
function EmailCard() {
  const { data: user } = useSuspenseQuery(userQuery)
  const [changing, setChanging] = useState(false)
  const managed = user.app_metadata.provider?.startsWith('sso') ?? false
  return (
    <Card title="Email" padded={false}>
      {user.new_email && <PendingEmail user={user} newEmail={user.new_email} />}
      <div className="set-row">
        <div className="grow">
          <span className="med ell">{user.email}</span>
          <p>Used for sign-in, invitations and notifications.</p>
        </div>
        <Button
          disabledReason={managed && 'Your organization manages this account'}
          onClick={() => setChanging(true)}
        >
          Change email
        </Button>
      </div>
      <EmailDialog open={changing} current={user.email ?? ''} onClose={() => setChanging(false)} />
    </Card>
  )
}

type Props = { open: boolean; current: string; onClose: () => void }

/** Asks for the new address. It counts when the mails to both addresses are confirmed. */
function EmailDialog(props: Props) {
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
