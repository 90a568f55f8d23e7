import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link } from '@tanstack/react-router'
import type { User } from '@supabase/auth-js'
import { profile as api } from '#contract/people/profile'
import { useDisabledFeatures, profileQuery } from '../../../session/identity/profile.ts'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { DangerCard } from '../../../ui/DangerCard.tsx'
import { auth } from '../../../session/identity/auth.ts'
import { FormCard } from '../../../ui/controls/FormCard.tsx'
import { FormDialog } from '../../../ui/floats/FormDialog.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { messageOf, queryClient, useCall, useChange } from '../../../api/client.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { Ago } from '../../../ui/text/Time.tsx'
import { IdentitiesCard } from './IdentitiesCard.tsx'
import { userQuery, authReads, cancelEmailChange, soleOwnershipsQuery } from './queries.ts'
import { useAuthAction } from './use-auth-action.ts'
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
    {
      changes: [authReads.user],
      onSuccess: () => {
        onClose()
        toast.success('Confirm the change in the emails we sent')
      },
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

/** The end of the account. `onDeleted` signs out. */
function DeleteAccountCard({ onDeleted }: { onDeleted: () => void }) {
  const { data: profile } = useSuspenseQuery(profileQuery)
  const { data: owned } = useSuspenseQuery(soleOwnershipsQuery)
  const [asking, setAsking] = useState(false)
  const remove = useCall(api.remove, { onSuccess: onDeleted })
  return (
    <DangerCard
      title="Delete account"
      about="Your access tokens, sessions and memberships end at once. This cannot be undone."
      above={
        owned.length > 0 && (
          <div className="pad-x">
            <Alert variant="warning" title="Organizations that only you own">
              First make someone else an owner of each organization, or delete it:{' '}
              {owned.map(({ slug, name }, index) => (
                <span key={slug}>
                  {index > 0 && ', '}
                  <Link className="link" to="/org/$slug" params={{ slug }}>
                    {name}
                  </Link>
                </span>
              ))}
              .
            </Alert>
          </div>
        )
      }
      reason={owned.length > 0 && 'You are the only owner of an organization'}
      onAsk={() => setAsking(true)}
    >
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Delete your account?"
        verb="Delete account"
        typeName={profile.primary_email}
        error={remove.error?.message}
        pending={remove.isPending}
        onConfirm={() => remove.mutate({ email: profile.primary_email })}
      >
        <p>
          The account, its access tokens, private snippets and memberships are deleted. Projects and
          shared snippets stay with their organizations.
        </p>
      </ConfirmDialog>
    </DangerCard>
  )
}

/** A change of address that waits for its mails to be confirmed. */
function PendingEmail({ user, newEmail }: { user: User; newEmail: string }) {
  const notify = (error: Error) => toast.error(messageOf(error))
  const resend = useAuthAction(
    async () =>
      (await auth()).resend({
        type: 'email_change',
        // The account is found by the address it has.
        email: user.email ?? '',
        options: { emailRedirectTo: `${location.origin}/account/me` },
      }),
    {
      changes: [authReads.user],
      onSuccess: () => {
        toast.success('Sent again')
      },
    },
  )
  const cancel = useChange(cancelEmailChange, {
    changes: [authReads.user],
    onSuccess: () => {
      toast.success('Your email address was not changed')
    },
    onError: notify,
  })
  return (
    <div className="pad-x">
      <Alert
        variant="info"
        title={
          <span className="plain">
            Waiting for <span className="med">{newEmail}</span> to be confirmed
          </span>
        }
        action={
          <span className="row">
            <Button
              busy={resend.isPending}
              onClick={() => resend.mutate(undefined, { onError: notify })}
            >
              Send again
            </Button>
            <Button busy={cancel.isPending} onClick={() => cancel.mutate()}>
              Cancel change
            </Button>
          </span>
        }
      >
        Open the links in the emails to both addresses.
        {user.email_change_sent_at && (
          <>
            {' '}
            Sent <Ago at={user.email_change_sent_at} />.
          </>
        )}
      </Alert>
    </div>
  )
}

const short = (text: string) => text.trim().length <= 64 || 'At most 64 characters'

/** What others see of a person. */
function ProfileCard() {
  const { data: profile } = useSuspenseQuery(profileQuery)
  const off = useDisabledFeatures()
  const { register, handleSubmit, reset, formState } = useForm({
    values: {
      first_name: profile.first_name ?? '',
      last_name: profile.last_name ?? '',
      username: profile.username,
    },
  })
  const save = useCall(api.update, {
    onSuccess: (saved) => {
      queryClient.setQueryData(profileQuery.queryKey, saved)
      toast.success('Profile saved')
    },
  })
  const { errors, isDirty } = formState
  return (
    <FormCard
      title="Name"
      error={save.error?.message}
      dirty={isDirty}
      pending={save.isPending}
      reason={off('profile:update') && 'The operator of this platform has switched this off'}
      onSubmit={handleSubmit((values) => save.mutate(values))}
      onCancel={() => reset()}
    >
      <div className="form-stack">
        <div className="two">
          <TextField
            label="First name"
            autoComplete="given-name"
            error={errors.first_name?.message}
            {...register('first_name', { validate: short })}
          />
          <TextField
            label="Last name"
            autoComplete="family-name"
            error={errors.last_name?.message}
            {...register('last_name', { validate: short })}
          />
        </div>
        <TextField
          label="Username"
          autoComplete="off"
          help="Teammates see it next to what you share. 1 to 64 characters."
          error={errors.username?.message}
          {...register('username', {
            validate: (name) => (name.trim() ? short(name) : 'Enter a username'),
          })}
        />
      </div>
    </FormCard>
  )
}
