import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { organizations } from '#contract/organizations/organizations'
import { profile } from '#contract/people/profile'
import { invitations, type OpenInvitation } from '#contract/organizations/invitations'
import { roleDescriptions } from '#contract/roles'
import { useCall } from '../../../api/client.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button, buttonClass } from '../../../ui/controls/Button.tsx'
import type { JoinState } from './join-state.ts'
import './join.css'

type Props = {
  slug: string
  token: string
  state: JoinState
  /** Of who is signed in. */
  email: string | undefined
  /** This page, for after signing in. */
  returnTo: string
  onJoined: () => void
  onSignOut: () => void
}

/** /join: an invitation, and what its reader can do with it. */
export function JoinPage({ slug, token, state, email, returnTo, onJoined, onSignOut }: Props) {
  switch (state.is) {
    case 'incomplete':
      return (
        <Ended title="This link is not complete">
          Open the link in your invitation email again. If you copy the link, copy all of it.
        </Ended>
      )
    case 'unknown':
      return (
        <Ended title="This invitation does not work">
          It was used, revoked, or replaced by a newer one. Look for a newer email, or ask the
          person who invited you to send it again.
        </Ended>
      )
    case 'expired':
      return (
        <Ended title="This invitation has expired">
          Invitations are valid for 24 hours. Ask the person who invited you to send it again.
        </Ended>
      )
    case 'member':
      return (
        <>
          <h1>You are a member already</h1>
          <p className="muted t14">You have nothing to accept.</p>
          <div className="join-acts">
            <Link
              to="/org/$slug"
              params={{ slug }}
              className={buttonClass({ size: 'form', variant: 'primary' }, 'wide')}
            >
              Open the organization
            </Link>
          </div>
        </>
      )
    case 'signed-out':
      return (
        <Offer invitation={state.invitation}>
          <p className="muted t14">
            Sign in as <span className="mono">{state.invitation.invited_email}</span> to accept it,
            or create an account with this address.
          </p>
          <div className="join-acts">
            <Link
              to="/sign-in"
              search={{ returnTo }}
              className={buttonClass({ size: 'form', variant: 'primary' }, 'wide')}
            >
              Sign in
            </Link>
            <Link
              to="/sign-up"
              search={{ returnTo }}
              className={buttonClass({ size: 'form' }, 'wide')}
            >
              Create an account
            </Link>
          </div>
        </Offer>
      )
    case 'wrong-address':
      return (
        <Offer invitation={state.invitation}>
          <Alert variant="warning" title="This invitation is for another address">
            It was sent to <span className="mono">{state.invitation.invited_email}</span>; you are
            signed in as <span className="mono">{email}</span>.
          </Alert>
          <div className="join-acts">
            <Button size="form" variant="primary" className="wide" onClick={onSignOut}>
              Sign in as someone else
            </Button>
            <NotNow />
          </div>
        </Offer>
      )
    case 'valid':
      return (
        <Offer invitation={state.invitation}>
          <div className="join-acts">
            <Accept slug={slug} token={token} onJoined={onJoined} />
            <NotNow />
          </div>
        </Offer>
      )
    default:
      return state satisfies never
  }
}

function Offer({ invitation, children }: { invitation: OpenInvitation; children: ReactNode }) {
  const { organization_name: name, invited_by, role, projects } = invitation
  return (
    <>
      <h1>Join {name}</h1>
      <p className="muted t14">
        <span className="mono">{invited_by}</span> invites you.
      </p>
      <dl className="join-facts">
        <div>
          <dt>Role</dt>
          <dd>
            {role}
            <span className="choice-help">{roleDescriptions[role]}</span>
          </dd>
        </div>
        <div>
          <dt>Projects</dt>
          <dd>{projects?.join(', ') ?? 'All projects'}</dd>
        </div>
      </dl>
      {children}
    </>
  )
}

function Accept({ slug, token, onJoined }: Pick<Props, 'slug' | 'token' | 'onJoined'>) {
  const accept = useCall(invitations.accept, {
    changes: [organizations.list, profile.permissions],
    onSuccess: onJoined,
  })
  return (
    <>
      {accept.error && <Alert variant="danger" title={accept.error.message} />}
      <Button
        size="form"
        variant="primary"
        className="wide"
        busy={accept.isPending}
        onClick={() => accept.mutate({ slug, token })}
      >
        Accept invitation
      </Button>
    </>
  )
}

function Ended({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <h1>{title}</h1>
      <p className="muted t14">{children}</p>
      <div className="join-acts">
        <Link to="/organizations" className={buttonClass({ size: 'form' }, 'wide')}>
          Go to the dashboard
        </Link>
      </div>
    </>
  )
}

const NotNow = () => (
  <Link to="/organizations" className={buttonClass({ size: 'form' }, 'wide')}>
    Not now
  </Link>
)
