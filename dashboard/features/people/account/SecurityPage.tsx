import { useSuspenseQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { LogOut, Monitor } from 'lucide-react'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { auth } from '../../../session/identity/auth.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { FormDialog } from '../../../ui/floats/FormDialog.tsx'
import { PasswordField } from '../../../ui/controls/PasswordField.tsx'
import { PasswordRules, isAcceptable } from '../../../ui/controls/PasswordRules.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { messageOf, useChange } from '../../../api/client.ts'
import { Badge } from '../../../ui/text/Badge.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { Ago } from '../../../ui/text/Time.tsx'
import {
  factorsQuery,
  userQuery,
  authReads,
  endSession,
  sessionsQuery,
  type SignIn,
} from './queries.ts'
import { FactorsCard } from './factors/FactorsCard.tsx'
import { RecoveryCodesCard } from './factors/RecoveryCodesCard.tsx'
import { deviceOf } from './device.ts'
import { useAuthAction } from './use-auth-action.ts'
import './account.css'

/** /account/security */
export function SecurityPage() {
  const { data: factors } = useSuspenseQuery(factorsQuery)
  return (
    <Page width="form">
      <PageHead
        title="Security"
        help="Your second factors, your password and where you are signed in."
      />
      <div className="form-stack">
        <FactorsCard />
        {factors.length > 0 && <RecoveryCodesCard />}
        <PasswordCard />
        <SessionsCard />
      </div>
    </Page>
  )
}

/** The password: set, changed, or none because one signs in elsewhere. */
function PasswordCard() {
  const { data: user } = useSuspenseQuery(userQuery)
  const [changing, setChanging] = useState(false)
  const identities = user.identities ?? []
  const managed = identities.some(({ provider }) => provider.startsWith('sso'))
  const has = identities.some(({ provider }) => provider === 'email')
  return (
    <Card title="Password" padded={false}>
      <div className="set-row">
        <div className="grow">
          <p>
            {has
              ? 'Your other sessions end when you change it.'
              : 'You sign in without a password. Setting one adds a sign-in method.'}
          </p>
        </div>
        <Button
          disabledReason={managed && 'Your organization manages this account'}
          onClick={() => setChanging(true)}
        >
          {has ? 'Change password' : 'Set password'}
        </Button>
      </div>
      <PasswordDialog open={changing} email={user.email ?? ''} onClose={() => setChanging(false)} />
    </Card>
  )
}

type Props = { open: boolean; email: string; onClose: () => void }
type Values = { password: string; nonce: string }

/** Asks for the new password and, in a session older than a day, for a code from a mail. */
function PasswordDialog(props: Props) {
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
  const askAgain = useAuthAction(async () => (await auth()).reauthenticate(), {
    onSuccess: () => setMailed(true),
  })
  const save = useAuthAction(
    async ({ password: chosen, nonce }: Values) =>
      (await auth()).updateUser({ password: chosen, ...(nonce ? { nonce: nonce.trim() } : {}) }),
    {
      changes: [authReads.user, authReads.sessions],
      onSuccess: () => {
        onClose()
        toast.success('Password changed')
      },
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

const notify = (error: Error) => void toast.error(messageOf(error))

/** Where one is signed in. A session that is ended here is refused with its next request. */
function SessionsCard() {
  const query = useQuery(sessionsQuery)
  const sessions = query.data
  const others = useAuthAction(
    async () => ({ data: null, ...(await (await auth()).signOut({ scope: 'others' })) }),
    {
      changes: [authReads.sessions],
      onSuccess: () => {
        toast.success('Signed out everywhere else')
      },
    },
  )
  return (
    <Card
      title="Sessions"
      end={
        <Button
          icon={LogOut}
          busy={others.isPending}
          disabledReason={sessions?.length === 1 && 'You have no other sessions'}
          onClick={() => others.mutate(undefined, { onError: notify })}
        >
          Sign out everywhere else
        </Button>
      }
      padded={false}
    >
      {query.error && !sessions ? (
        <ErrorNote what="sessions" error={query.error} onRetry={() => void query.refetch()} />
      ) : sessions ? (
        sessions.map((session) => <SessionRow key={session.id} session={session} />)
      ) : (
        <div className="set-row">
          <div className="grow stack">
            <Skeleton width={160} />
            <Skeleton width={220} />
          </div>
        </div>
      )}
    </Card>
  )
}

function SessionRow({ session }: { session: SignIn }) {
  const device = deviceOf(session.user_agent)
  const end = useChange(() => endSession(session.id), {
    changes: [authReads.sessions],
    onSuccess: () => {
      toast.success('Session ended')
    },
    onError: notify,
  })
  return (
    <div className="set-row">
      <Icon of={Monitor} size="s" />
      <div className="grow">
        <span className="row">
          <span className="med ell">{device}</span>
          {session.current && <Badge>Current</Badge>}
          {session.aal === 'aal2' && <Badge>Two factors</Badge>}
        </span>
        <p>
          {session.ip && <span className="mono t12">{session.ip}</span>}
          {session.ip && ' · '}
          active {/* Its token may be an hour old; whoever reads this is using it. */}
          {session.current ? 'now' : <Ago at={session.refreshed_at ?? session.created_at} />}
        </p>
      </div>
      <Button
        aria-label={`End the session on ${device}`}
        busy={end.isPending}
        disabledReason={session.current && 'Use Sign out to end this session'}
        onClick={() => end.mutate()}
      >
        End
      </Button>
    </div>
  )
}
