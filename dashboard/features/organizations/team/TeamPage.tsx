import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { CircleQuestionMark, UserRoundPlus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useForm } from 'react-hook-form'
import { invitations, invitationHours } from '#contract/organizations/invitations'
import { members } from '#contract/organizations/members'
import { roleId } from '#contract/roles'
import { useOrganization } from '../../../session/organization/organizations.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { profileQuery, useDisabledFeatures } from '../../../session/identity/profile.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { useCall } from '../../../api/client.ts'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { FormPanel } from '../../../ui/floats/FormPanel.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { counted } from '../../../ui/text/number.ts'
import { Callout } from '../../../ui/Callout.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { InvitationTable } from './InvitationTable.tsx'
import {
  type Access,
  incomplete,
  noAccess,
  matchingMembers,
  memberRows,
  type MemberRow,
  rolesHeld,
} from './access.ts'
import { AccessFields, AccessPanel, useRoleChoice } from './AccessFields.tsx'
import { ofInvitations, membersQuery, rolesQuery, ofTeam } from './queries.ts'
import { MemberTable } from './MemberTable.tsx'
import './team.css'

const RoleMatrixPanel = lazy(() =>
  import('./RoleMatrixPanel.tsx').then((m) => ({ default: m.RoleMatrixPanel })),
)

type Open =
  | { what: 'invite' | 'matrix' }
  | { what: 'access' | 'remove'; member: MemberRow }
  | undefined

type Props = {
  slug: string
  /** Opens with the panel for an invitation. */
  isInviting: boolean
  /** The reader has left the organization. */
  onLeft: () => unknown
}

/** /org/{slug}/team: who is in the organization, as what, and who is invited. */
export function TeamPage({ slug, isInviting, onLeft }: Props) {
  const organization = useOrganization(slug)
  const { data: profile } = useSuspenseQuery(profileQuery)
  const members = useQuery(membersQuery(slug))
  const roles = useQuery(rolesQuery(slug))
  const choice = useRoleChoice(slug)
  const why = useDenials({ organizationSlug: slug })
  const off = useDisabledFeatures()
  const [typed, setTyped] = useState('')
  const [open, setOpen] = useState<Open>(isInviting ? { what: 'invite' } : undefined)
  const close = () => setOpen(undefined)

  const all = members.data && roles.data && memberRows(members.data, roles.data)
  const noInvite = off('organization_members:create')
    ? 'Invitations are switched off here'
    : why(invitations.create)
  return (
    <Page>
      <PageHead
        title="Team"
        help={all ? summary(all.length, organization.name) : organization.name}
        actions={
          <>
            <SearchField label="Find a member" value={typed} onChange={setTyped} />
            <Button icon={CircleQuestionMark} onClick={() => setOpen({ what: 'matrix' })}>
              Roles
            </Button>
            <Button
              variant="primary"
              icon={UserRoundPlus}
              disabledReason={noInvite}
              onClick={() => setOpen({ what: 'invite' })}
            >
              Invite
            </Button>
          </>
        }
      />
      <div className="sections">
        <MemberTable
          rows={all && matchingMembers(all, typed)}
          error={members.error ?? roles.error}
          onRetry={() => void Promise.all([members.refetch(), roles.refetch()])}
          choice={choice}
          selfId={profile.gotrue_id}
          owners={all?.filter(({ role }) => role === 'Owner').length ?? 0}
          onManage={(member) => setOpen({ what: 'access', member })}
          onRemove={(member) => setOpen({ what: 'remove', member })}
        />
        {why(invitations.list) === undefined && <InvitationTable slug={slug} />}
      </div>
      {open?.what === 'invite' && !noInvite && <InvitePanel slug={slug} onClose={close} />}
      {open?.what === 'access' && <AccessPanel slug={slug} member={open.member} onClose={close} />}
      {open?.what === 'remove' && (
        <RemoveDialog
          slug={slug}
          member={open.member}
          self={open.member.gotrue_id === profile.gotrue_id}
          onClose={close}
          onLeft={onLeft}
        />
      )}
      <Suspense>{open?.what === 'matrix' && <RoleMatrixPanel onClose={close} />}</Suspense>
    </Page>
  )
}

const summary = (count: number, name: string) => `${counted(count, 'member')} of ${name}`

type RemoveDialogProps = {
  slug: string
  member: MemberRow
  self: boolean
  onClose: () => void
  /** The reader is not in the organization any more. */
  onLeft: () => unknown
}

/** Takes a member out, or lets the reader leave. Says what is lost. */
function RemoveDialog({ slug, member, self, onClose, onLeft }: RemoveDialogProps) {
  const { name } = useOrganization(slug)
  const remove = useCall(members.remove, {
    onAnswer: () => (self ? onLeft() : undefined),
    changes: ofTeam,
    onSuccess: () => {
      toast.success(self ? `You have left ${name}` : `${member.primary_email} is removed`)
      onClose()
    },
  })
  const projects = member.projectRoles.flatMap((one) => one.projects)
  const who = self ? 'You' : member.primary_email
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={self ? `Leave ${name}` : `Remove ${member.primary_email}`}
      verb={self ? 'Leave organization' : 'Remove member'}
      error={remove.error?.message}
      pending={remove.isPending}
      onConfirm={() => remove.mutate({ slug, gotrue_id: member.gotrue_id })}
    >
      <p>
        {who} cannot open {name} any more. Someone who can send invitations can bring{' '}
        {self ? 'you' : 'them'} back.
      </p>
      <ul className="lost">
        <li>
          The role {rolesHeld(member).join(', ')}{' '}
          {member.role
            ? 'in all projects'
            : `in ${projects.map((project) => project.name).join(', ') || 'no project'}`}
        </li>
        <li>Access tokens and apps can no longer reach {name}</li>
        <li>{self ? 'Your' : 'Their'} private snippets stay here, and no one else sees them</li>
      </ul>
    </ConfirmDialog>
  )
}

type InvitePanelProps = { slug: string; onClose: () => void }

/** Invites one person by mail, to the organization or to some of its projects. */
function InvitePanel({ slug, onClose }: InvitePanelProps) {
  const { name, plan } = useOrganization(slug)
  const choice = useRoleChoice(slug)
  const [access, setAccess] = useState<Access>(noAccess)
  const { register, handleSubmit, formState } = useForm({ defaultValues: { email: '' } })
  const invite = useCall(invitations.create, {
    changes: ofInvitations,
    onSuccess: ({ invited_email: email }) => {
      toast.success(`Invitation sent to ${email}`)
      onClose()
    },
  })
  const submit = handleSubmit(({ email }) =>
    invite.mutate({
      slug,
      email: email.trim(),
      role_id: roleId(access.role),
      ...(access.everywhere ? {} : { role_scoped_projects: [...access.projects.keys()] }),
    }),
  )
  return (
    <FormPanel
      title={`Invite to ${name}`}
      size="large"
      verb="Send invitation"
      reason={incomplete(access) ?? choice.giving(access.role)}
      pending={invite.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Email"
        type="email"
        autoComplete="off"
        help={`They get an email with a link that works for ${invitationHours} hours.`}
        error={formState.errors.email?.message ?? invite.error?.message}
        {...register('email', {
          validate: (email) =>
            /^\S+@\S+\.\S+$/.test(email.trim()) || 'Enter the email of one person',
        })}
      />
      <AccessFields
        slug={slug}
        choice={choice}
        access={access}
        onAccess={setAccess}
        mixed={false}
      />
      {(plan.id === 'team' || plan.id === 'enterprise') && (
        <Callout type="note" title="Single sign-on">
          People who sign in through this organization’s single sign-on become members automatically
          and need no invitation.
        </Callout>
      )}
    </FormPanel>
  )
}
