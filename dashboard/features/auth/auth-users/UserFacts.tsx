import { Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { authUsers, type UserDetail } from '#contract/auth/auth-users'
import { useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { CopyButton } from '../../../ui/controls/CopyButton.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { ProviderMark } from '../../../ui/text/ProviderMark.tsx'
import { Status } from '../../../ui/text/Status.tsx'
import { exactTime } from '../../../ui/text/time.ts'
import { toast } from '../../../ui/floats/toast.ts'
import { ofUsers } from './queries.ts'
import { isBanned, providerLabel, userStatus } from './user-words.ts'
import { useNow } from '../../../ui/text/Time.tsx'

const timeOf = (at: string | null, never = 'Never') => (at ? exactTime(new Date(at)) : never)

/** What is known of a user, how they can sign in, and what they show beside a password. */
export function UserFacts({ projectRef, detail }: { projectRef: string; detail: UserDetail }) {
  const { user, identities } = detail
  const now = useNow()
  const { word, tone } = userStatus(user, now)
  const facts: [string, ReactNode][] = [
    ['User ID', <Copied key="id" text={user.id} what="user ID" />],
    ['Email', user.email ? <Copied key="email" text={user.email} what="email" /> : 'None'],
    ['Phone', user.phone ? <Copied key="phone" text={user.phone} what="phone number" /> : 'None'],
    ['Display name', user.name ?? 'None'],
    [
      'Status',
      tone ? (
        <Status key="status" tone={tone}>
          {word}
        </Status>
      ) : (
        <span key="status">{word}</span>
      ),
    ],
    ...(isBanned(user, now)
      ? [['Banned until', timeOf(user.banned_until)] satisfies [string, ReactNode]]
      : []),
    ['Confirmed', timeOf(user.confirmed_at, 'Not yet')],
    ...(user.invited_at
      ? [['Invited', timeOf(user.invited_at)] satisfies [string, ReactNode]]
      : []),
    ['Created', timeOf(user.created_at, 'Unknown')],
    ['Changed', timeOf(user.updated_at, 'Unknown')],
    ['Last sign-in', timeOf(user.last_sign_in_at)],
    ['Password', user.has_password ? 'Set' : 'None'],
    ['Single sign-on', user.is_sso_user ? 'Yes' : 'No'],
    [
      'Role',
      <span key="role" className="mono t12">
        {user.role ?? 'None'}
      </span>,
    ],
  ]
  return (
    <>
      <dl className="defs">
        {facts.map(([name, value]) => (
          <div key={name} className="users-fact">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <section className="panel-part">
        <h3>Identities</h3>
        {identities.length === 0 && <p className="help">None: this user has no way to sign in.</p>}
        <ul className="users-lines">
          {identities.map(({ id, provider, email, last_sign_in_at: at }) => (
            <li key={id}>
              <ProviderMark of={provider} />
              <span className="grow">
                {providerLabel(provider)} <span className="faint">{email}</span>
              </span>
              <span className="faint t12">{timeOf(at, 'never used')}</span>
            </li>
          ))}
        </ul>
      </section>
      <Factors projectRef={projectRef} detail={detail} />
    </>
  )
}

function Factors({ projectRef, detail }: { projectRef: string; detail: UserDetail }) {
  const denied = useDenials(useProject(projectRef))(authUsers.removeFactor)
  const remove = useCall(authUsers.removeFactor, {
    changes: ofUsers,
    onSuccess: () => {
      toast.success('Second factor removed')
    },
    onError: ({ message }) => void toast.error(message),
  })
  const { user, factors } = detail
  return (
    <section className="panel-part">
      <h3>Second factors</h3>
      {factors.length === 0 && <p className="help">None.</p>}
      <ul className="users-lines">
        {factors.map((factor) => {
          const name = factor.friendly_name || factor.phone || factor.factor_type
          return (
            <li key={factor.id}>
              <span className="grow">
                {name} <span className="faint">{factor.factor_type}</span>
              </span>
              <span className="faint t12">
                {factor.status === 'verified' ? 'Verified' : 'Not verified'}
              </span>
              <IconButton
                icon={Trash2}
                iconSize="s"
                label={`Remove ${name}`}
                disabledReason={denied}
                onClick={() => remove.mutate({ ref: projectRef, id: user.id, factor: factor.id })}
              />
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function Copied({ text, what }: { text: string; what: string }) {
  return (
    <span className="users-copied">
      <span className="mono t12">{text}</span>
      <CopyButton text={text} what={what} />
    </span>
  )
}
