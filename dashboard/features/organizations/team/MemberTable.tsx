import { SearchX, Ellipsis, LogOut, UserRoundCog, UserRoundX } from 'lucide-react'
import { Avatar } from '../../../ui/text/Avatar.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Status } from '../../../ui/text/Status.tsx'
import { type Column, Table } from '../../../ui/lists/Table.tsx'
import { useDisabledFeatures } from '../../../session/identity/profile.ts'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuItem } from '../../../ui/floats/MenuItem.tsx'
import { type MemberRow, rolesHeld } from './access.ts'
import type { RoleChoice } from './AccessFields.tsx'

type Props = {
  /** undefined while loading. */
  rows: readonly MemberRow[] | undefined
  error: Error | null
  onRetry: () => void
  choice: RoleChoice
  /** The reader. */
  selfId: string
  owners: number
  onManage: (member: MemberRow) => void
  onRemove: (member: MemberRow) => void
}

/** Who is in the organization. */
export function MemberTable({ selfId, owners, choice, onManage, onRemove, ...list }: Props) {
  const columns: Column<MemberRow>[] = [
    {
      id: 'member',
      head: 'Member',
      sortBy: ({ primary_email }) => primary_email,
      cell: (member) => <Who member={member} self={member.gotrue_id === selfId} />,
    },
    {
      id: 'role',
      head: 'Role',
      sortBy: (member) => rolesHeld(member).join(),
      cell: (member) => <RoleWords member={member} />,
    },
    {
      id: 'mfa',
      head: 'Second factor',
      wideOnly: true,
      sortBy: ({ mfa_enabled }) => Number(mfa_enabled),
      cell: ({ mfa_enabled: on }) => (
        <Status tone={on ? 'success' : 'off'}>{on ? 'Enabled' : 'Not set up'}</Status>
      ),
    },
    {
      id: 'actions',
      head: 'Actions',
      hideHead: true,
      numeric: true,
      width: '56px',
      cell: (member) => (
        <MemberMenu
          member={member}
          choice={choice}
          self={member.gotrue_id === selfId}
          lastOwner={member.role === 'Owner' && owners === 1}
          onManage={() => onManage(member)}
          onRemove={() => onRemove(member)}
        />
      ),
    },
  ]
  return (
    <div className="card team">
      <Table
        label="Members"
        columns={columns}
        keyOf={({ gotrue_id }) => gotrue_id}
        rowHeight={60}
        empty={
          <EmptyState icon={SearchX} title="No member found">
            No member’s email, role or project contains these words.
          </EmptyState>
        }
        {...list}
      />
    </div>
  )
}

function Who({ member, self }: { member: MemberRow; self: boolean }) {
  const { primary_email: email, username, is_sso_user: sso } = member
  return (
    <span className="row team-who">
      <Avatar name={username} size={32} />
      <span className="team-words">
        <span className="row">
          <span className="med ell">{email}</span>
          {self && <Badge>You</Badge>}
          {sso && <Badge tone="info">SSO</Badge>}
        </span>
        <span className="faint ell">{username}</span>
      </span>
    </span>
  )
}

function RoleWords({ member: { role, projectRoles } }: { member: MemberRow }) {
  if (role)
    return (
      <span className="team-words">
        <span>{role}</span>
        <span className="faint">All projects</span>
      </span>
    )
  return (
    <span className="team-words">
      {projectRoles.map(({ id, role: name, projects }) => {
        const names = projects.map((project) => project.name).join(', ')
        return (
          <span key={id} className="ell" title={`${name}: ${names}`}>
            {name} <span className="faint">in {names || 'no project'}</span>
          </span>
        )
      })}
    </span>
  )
}

type MemberMenuProps = {
  member: MemberRow
  choice: RoleChoice
  self: boolean
  /** Nobody else owns the organization. */
  lastOwner: boolean
  onManage: () => void
  onRemove: () => void
}

export const needsOwner = 'An organization needs an Owner: make someone else an Owner first'

/** What can be done with one member. */
function MemberMenu({ member, choice, self, lastOwner, onManage, onRemove }: MemberMenuProps) {
  const off = useDisabledFeatures()
  const refusal = choice.taking(member)
  const kept = lastOwner ? needsOwner : undefined
  const switchedOff = off('organization_members:delete')
    ? 'Removing members is switched off here'
    : undefined
  return (
    <Menu
      label={`Actions for ${member.primary_email}`}
      align="end"
      trigger={<IconButton icon={Ellipsis} label={`Actions for ${member.primary_email}`} />}
    >
      <MenuItem icon={UserRoundCog} disabledReason={refusal} onSelect={onManage}>
        Manage access
      </MenuItem>
      {self ? (
        <MenuItem icon={LogOut} danger disabledReason={switchedOff ?? kept} onSelect={onRemove}>
          Leave organization
        </MenuItem>
      ) : (
        <MenuItem
          icon={UserRoundX}
          danger
          disabledReason={switchedOff ?? refusal ?? kept}
          onSelect={onRemove}
        >
          Remove member
        </MenuItem>
      )}
    </Menu>
  )
}
