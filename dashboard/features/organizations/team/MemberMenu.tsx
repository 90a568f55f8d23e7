import { Ellipsis, LogOut, UserRoundCog, UserRoundX } from 'lucide-react'
import { useDisabledFeatures } from '../../../session/identity/profile.ts'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuItem } from '../../../ui/floats/MenuItem.tsx'
import type { MemberRow } from './member-rows.ts'
import type { RoleChoice } from './use-role-choice.ts'

type Props = {
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
export function MemberMenu({ member, choice, self, lastOwner, onManage, onRemove }: Props) {
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
