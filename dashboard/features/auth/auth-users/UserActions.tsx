import { useState } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { impersonation } from '#contract/data-api/impersonation'
import { authUsers, type UserDetail } from '#contract/auth/auth-users'
import { useCall } from '../../../api/client.ts'
import { lookAs } from '../../../modules/roles/look-as.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { FormDialog } from '../../../ui/floats/FormDialog.tsx'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { useNow } from '../../../ui/text/Time.tsx'
import { ofUsers } from './queries.ts'
import { DeleteUsersDialog } from './UserDialogs.tsx'
import { isBanned, userName } from './user-words.ts'

type Props = { projectRef: string; detail: UserDetail; onDeleted: () => void }
type Asked = 'ban' | 'factors' | 'sessions' | 'delete'

/** What is sent to a user, and what takes something away from them. */
export function UserActions({ projectRef, detail, onDeleted }: Props) {
  const [asked, setAsked] = useState<Asked>()
  const now = useNow()
  const navigate = useNavigate()
  const why = useDenials(useProject(projectRef))
  const { user, sessions, factors } = detail
  const name = userName(user)
  const target = { ref: projectRef, id: user.id }
  const done = (words: string) => ({
    changes: ofUsers,
    onSuccess: () => {
      setAsked(undefined)
      toast.success(words)
    },
    onError: ({ message }: Error) => void toast.error(message),
  })
  const recover = useCall(authUsers.recover, done('Password recovery sent'))
  const magicLink = useCall(authUsers.magicLink, done('Magic link sent'))
  const otp = useCall(authUsers.otp, done('Code sent'))
  const lift = useCall(authUsers.update, done('Ban lifted'))
  const removeFactors = useCall(authUsers.removeFactors, done('Second factors removed'))
  const endSessions = useCall(authUsers.endSessions, done('Signed out everywhere'))
  const { email, phone } = user
  const noEmail = !email && 'This user has no email address'
  const noPhone = !phone && 'This user has no phone number'
  async function look() {
    const { raw_app_meta_data: app_metadata, raw_user_meta_data: user_metadata, ...known } = user
    await lookAs(projectRef, { ...known, app_metadata, user_metadata }, name)
    await navigate({ to: '/project/$ref/editor', params: { ref: projectRef } })
  }
  return (
    <>
      <section className="panel-part">
        <h3>Send</h3>
        <div className="users-acts">
          <Button
            disabledReason={why(authUsers.recover) ?? noEmail}
            busy={recover.isPending}
            onClick={() => email && recover.mutate({ ref: projectRef, email })}
          >
            Password recovery
          </Button>
          <Button
            disabledReason={why(authUsers.magicLink) ?? noEmail}
            busy={magicLink.isPending}
            onClick={() => email && magicLink.mutate({ ref: projectRef, email })}
          >
            Magic link
          </Button>
          <Button
            disabledReason={why(authUsers.otp) ?? noPhone}
            busy={otp.isPending}
            onClick={() => phone && otp.mutate({ ref: projectRef, phone })}
          >
            Code by text message
          </Button>
        </div>
      </section>
      <section className="panel-part">
        <h3>Look</h3>
        <div className="users-acts">
          <Button disabledReason={why(impersonation.users)} onClick={() => void look()}>
            View tables as this user
          </Button>
        </div>
      </section>
      <section className="panel-part">
        <h3>Danger</h3>
        <div className="users-acts">
          {isBanned(user, now) ? (
            <Button
              disabledReason={why(authUsers.update)}
              busy={lift.isPending}
              onClick={() => lift.mutate({ ...target, ban_duration: 'none' })}
            >
              Unban user
            </Button>
          ) : (
            <Button disabledReason={why(authUsers.update)} onClick={() => setAsked('ban')}>
              Ban
            </Button>
          )}
          <Button
            disabledReason={
              why(authUsers.endSessions) ??
              (sessions.length === 0 && 'This user has no active sessions')
            }
            onClick={() => setAsked('sessions')}
          >
            Sign out everywhere
          </Button>
          <Button
            disabledReason={
              why(authUsers.removeFactors) ??
              (factors.length === 0 && 'This user has no second factor')
            }
            onClick={() => setAsked('factors')}
          >
            Remove MFA factors
          </Button>
          <Button
            variant="danger-quiet"
            disabledReason={why(authUsers.removeMany)}
            onClick={() => setAsked('delete')}
          >
            Delete user
          </Button>
        </div>
      </section>
      {asked === 'ban' && (
        <BanDialog
          {...target}
          projectRef={projectRef}
          name={name}
          onClose={() => setAsked(undefined)}
        />
      )}
      <ConfirmDialog
        open={asked === 'sessions'}
        title={`Sign out ${name} everywhere?`}
        verb="Sign out everywhere"
        error={endSessions.error?.message}
        pending={endSessions.isPending}
        onClose={() => setAsked(undefined)}
        onConfirm={() => endSessions.mutate(target)}
      >
        <p>All of their sessions end. They can sign in again.</p>
      </ConfirmDialog>
      <ConfirmDialog
        open={asked === 'factors'}
        title={`Remove the second factors of ${name}?`}
        verb="Remove MFA factors"
        error={removeFactors.error?.message}
        pending={removeFactors.isPending}
        onClose={() => setAsked(undefined)}
        onConfirm={() => removeFactors.mutate(target)}
      >
        <p>They can then sign in with only their password, until they set up another factor.</p>
      </ConfirmDialog>
      {asked === 'delete' && (
        <DeleteUsersDialog
          projectRef={projectRef}
          ids={[user.id]}
          name={name}
          onDeleted={onDeleted}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}

type BanDialogProps = { projectRef: string; id: string; name: string; onClose: () => void }
type Unit = 'h' | 'd'

const hoursIn: Record<Unit, number> = { h: 1, d: 24 }
/** Two hundred years, as long as a ban can last. */
const maxHours = 200 * 365 * 24

/** Keeps a user out for a while. */
function BanDialog({ projectRef, id, name, onClose }: BanDialogProps) {
  const [amount, setAmount] = useState('24')
  const [unit, setUnit] = useState<Unit>('h')
  const ban = useCall(authUsers.update, {
    changes: ofUsers,
    onSuccess: () => {
      toast.success(`${name} is banned`)
      onClose()
    },
  })
  const hours = Number(amount) * hoursIn[unit]
  const problem =
    /^\d{1,7}$/.test(amount) && hours >= 1 && hours <= maxHours
      ? undefined
      : 'A whole number from 1 on, 200 years at most'
  return (
    <FormDialog
      title={`Ban ${name}`}
      verb="Ban user"
      danger
      disabled={problem !== undefined}
      pending={ban.isPending}
      onClose={onClose}
      onSubmit={() => ban.mutate({ ref: projectRef, id, ban_duration: `${hours}h` })}
    >
      <p>
        They cannot sign in or refresh a session until then. Their existing tokens work with the
        data API until they expire.
      </p>
      <TextField
        label="How long"
        inputMode="numeric"
        value={amount}
        error={problem}
        onChange={({ target }) => setAmount(target.value)}
      />
      <SelectField
        label="Unit"
        value={unit}
        options={[
          { value: 'h', label: 'Hours' },
          { value: 'd', label: 'Days' },
        ]}
        onChange={setUnit}
      />
      {ban.error && (
        <p className="err" role="alert">
          {ban.error.message}
        </p>
      )}
    </FormDialog>
  )
}
