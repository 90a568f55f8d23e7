import type { Output } from '#contract/endpoint'
import type { Member, members as api } from '#contract/organizations/members'
import { roleNames, type RoleName } from '#contract/permissions'
import { roleOfId } from '#contract/roles'

type Roles = Output<typeof api.roles>
export type ProjectName = { ref: string; name: string }
export type ProjectRole = { id: number; role: RoleName; projects: readonly ProjectName[] }

export type MemberRow = Member & {
  /** For the whole organization; undefined with roles for single projects. */
  role: RoleName | undefined
  projectRoles: readonly ProjectRole[]
}

/** Members with the names of what they are. A role that is not known any more is left out: the lists are read one by one. */
export function memberRows(members: readonly Member[], roles: Roles): MemberRow[] {
  return members.map((member) => ({
    ...member,
    role: member.role_ids.map(roleOfId).find((role) => role !== undefined),
    projectRoles: roles.project_scoped_roles
      .filter(({ id }) => member.role_ids.includes(id))
      .flatMap(({ id, base_role_id, projects }) => {
        const role = roleOfId(base_role_id)
        return role ? [{ id, role, projects }] : []
      }),
  }))
}

/** Every role that this member has, each once, in the order of the lists. */
export const rolesHeld = ({ role, projectRoles }: MemberRow): RoleName[] => {
  const held = new Set([role, ...projectRoles.map((one) => one.role)])
  return roleNames.filter((name) => held.has(name))
}

/** Those with every typed word in what the list shows of them. */
export function matchingMembers(rows: readonly MemberRow[], typed: string): MemberRow[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  return rows.filter((row) => {
    const projects = row.projectRoles.flatMap((one) => one.projects.map(({ name }) => name))
    const text = [row.primary_email, row.username, ...rolesHeld(row), ...projects]
      .join(' ')
      .toLowerCase()
    return words.every((word) => text.includes(word))
  })
}
