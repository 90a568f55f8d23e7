import { members } from '#contract/organizations/members'
import { useCall } from '../../../api/client.ts'
import { useOrganization } from '../../../session/organization/organizations.ts'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { type MemberRow, rolesHeld } from './member-rows.ts'
import { forgetTeam } from './queries.ts'

type Props = {
  slug: string
  member: MemberRow
  self: boolean
  onClose: () => void
  /** The reader is not in the organization any more. */
  onLeft: () => void
}

/** Takes a member out, or lets the reader leave. Says what is lost. */
export function RemoveDialog({ slug, member, self, onClose, onLeft }: Props) {
  const { name } = useOrganization(slug)
  const remove = useCall(members.remove, {
    onSuccess: async () => {
      toast.success(self ? `You have left ${name}` : `${member.primary_email} is removed`)
      if (self) return onLeft()
      onClose()
      await forgetTeam()
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
