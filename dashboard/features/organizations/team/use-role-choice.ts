import { members } from '#contract/organizations/members'
import { roleNames, type RoleName } from '#contract/permissions'
import { planNames } from '#contract/billing/plans'
import { roleDescriptions, roleId, rolesByPlan } from '#contract/roles'
import { useOrganization } from '../../../session/organization/organizations.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import type { Option } from '../../../ui/controls/options.ts'
import { rolesHeld, type MemberRow } from './access.ts'

/** What the reader may do with roles here, from the plan and from the same rows that the server decides by. */
export function useRoleChoice(slug: string) {
  const { plan } = useOrganization(slug)
  const why = useDenials({ organizationSlug: slug })
  const offer = rolesByPlan[plan.id]
  const about = (role: RoleName) => ({ resource: { role_id: roleId(role) } })

  /** Why the reader may not give this role; undefined when they may. */
  const giving = (role: RoleName) =>
    offer.roles.includes(role)
      ? why(members.update, about(role))
      : `The ${planNames[plan.id]} plan has no ${role} role; Team has`

  /** Why the reader may not change or remove this member; undefined when they may. */
  const taking = (member: MemberRow) =>
    rolesHeld(member)
      .map((role) => why(members.removeRole, about(role)))
      .find((reason) => reason !== undefined)

  return {
    giving,
    taking,
    perProject: offer.perProject,
    /** Why there are no roles for single projects; undefined when there are. */
    noProjects:
      offer.perProject === 'none'
        ? `Roles for single projects come with the ${planNames.team} plan`
        : undefined,
    options: roleNames.map((role): Option<RoleName> => ({
      value: role,
      label: role,
      disabledReason: giving(role),
    })),
    help: (role: RoleName) => roleDescriptions[role],
  }
}
export type RoleChoice = ReturnType<typeof useRoleChoice>
