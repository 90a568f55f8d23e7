import { useQuery } from '@tanstack/react-query'
import { RotateCw, Trash2 } from 'lucide-react'
import { type Invitation, invitations as api } from '#contract/organizations/invitations'
import { roleId, roleOfId } from '#contract/roles'
import { useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Card } from '../../../ui/Card.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { type Column, Table } from '../../../ui/lists/Table.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { ofInvitations, invitationsQuery } from './queries.ts'

/** Invitations that nobody has accepted yet; nothing while there are none. */
export function InvitationTable({ slug }: { slug: string }) {
  const query = useQuery(invitationsQuery(slug))
  if (!query.error && !query.data?.invitations.length) return null
  const columns: Column<Invitation>[] = [
    {
      id: 'email',
      head: 'Address',
      sortBy: ({ invited_email }) => invited_email,
      cell: ({ invited_email: email, invited_by }) => (
        <span className="team-words">
          <span className="med ell">{email}</span>
          <span className="faint ell">by {invited_by}</span>
        </span>
      ),
    },
    {
      id: 'role',
      head: 'Role',
      sortBy: ({ role_id }) => role_id,
      cell: ({ role_id, projects }) => (
        <span className="team-words">
          <span>{roleOfId(role_id)}</span>
          <span className="faint ell">
            {projects?.map(({ name }) => name).join(', ') ?? 'All projects'}
          </span>
        </span>
      ),
    },
    {
      id: 'sent',
      head: 'Sent',
      wideOnly: true,
      sortBy: ({ invited_at }) => Date.parse(invited_at),
      cell: ({ invited_at, expired }) => (
        <span className="row">
          <span className="faint">
            <Time at={invited_at} />
          </span>
          {expired && <Badge tone="warning">Expired</Badge>}
        </span>
      ),
    },
    {
      id: 'actions',
      head: 'Actions',
      hideHead: true,
      numeric: true,
      width: '96px',
      cell: (invitation) => <Actions slug={slug} invitation={invitation} />,
    },
  ]
  return (
    <Card title="Invitations" padded={false}>
      <Table
        label="Invitations"
        columns={columns}
        rows={query.data?.invitations}
        keyOf={({ id }) => String(id)}
        rowHeight={60}
        error={query.error}
        onRetry={() => void query.refetch()}
        empty={null}
      />
    </Card>
  )
}

function Actions({ slug, invitation }: { slug: string; invitation: Invitation }) {
  const { id, invited_email: email } = invitation
  const why = useDenials({ organizationSlug: slug })
  const role = roleOfId(invitation.role_id)
  const about = { resource: { role_id: role && roleId(role) } }
  const resend = useCall(api.resend, {
    changes: ofInvitations,
    onSuccess: () => {
      toast.success(`Sent again to ${email}; the earlier link no longer works`)
    },
    onError: (error) => toast.error(error.message),
  })
  const revoke = useCall(api.revoke, {
    changes: ofInvitations,
    onSuccess: () => {
      toast.success(`The invitation of ${email} is revoked`)
    },
    onError: (error) => toast.error(error.message),
  })
  return (
    <span className="row team-acts">
      <IconButton
        icon={RotateCw}
        label={`Send again to ${email}`}
        busy={resend.isPending}
        disabledReason={why(api.resend, about)}
        onClick={() => resend.mutate({ slug, id })}
      />
      <IconButton
        icon={Trash2}
        label={`Revoke the invitation of ${email}`}
        busy={revoke.isPending}
        disabledReason={why(api.revoke, about)}
        onClick={() => revoke.mutate({ slug, id })}
      />
    </span>
  )
}
