import type { Parsed } from '#contract/endpoint'
import type { members as api } from '#contract/organizations/members'
import type { RoleName } from '#contract/permissions'
import { roleOfId } from '#contract/roles'
import { ApiError } from '#kit/errors'
import type { MemberRow, ProjectRoleRow } from './store.ts'

/** A role for the whole organization (projects: null), or for these projects. */
export type Assignment = { role: RoleName; refs: readonly string[] | null }

type Held = { member: Pick<MemberRow, 'role'>; held: readonly ProjectRoleRow[] }

/** The role of this id that can be given anew: the base roles; @throws role_not_found */
export function baseRole(id: number): RoleName {
  const role = roleOfId(id)
  if (!role) throw new ApiError('role_not_found')
  return role
}

/** What stands in audit entries: `Developer`, or the role and its projects. */
export const wordsOf = (member: Pick<MemberRow, 'role'>, held: readonly ProjectRoleRow[]) => ({
  ...(member.role ? { role: member.role } : {}),
  ...(held.length
    ? {
        project_roles: held.map(({ base_role, projects }) => ({
          role: base_role,
          projects: projects.map(({ ref }) => ref),
        })),
      }
    : {}),
})

export const rolesOf = ({ member, held }: Held): RoleName[] => [
  ...(member.role ? [member.role] : []),
  ...held.map(({ base_role }) => base_role),
]

/** The assignments that a PATCH asks for. @throws invalid_input when it names none or more than one way */
export function assignmentsOf(input: Parsed<typeof api.update>): Assignment[] {
  const { role_id, role_scoped_projects, project_roles } = input
  if ((role_id === undefined) === (project_roles === undefined)) {
    throw new ApiError('invalid_input', 'Give either role_id or project_roles')
  }
  if (role_id !== undefined)
    return [{ role: baseRole(role_id), refs: role_scoped_projects ?? null }]
  const assignments = (project_roles ?? []).map((one) => ({
    role: baseRole(one.role_id),
    refs: one.role_scoped_projects,
  }))
  const refs = assignments.flatMap((one) => one.refs)
  const roles = assignments.map((one) => one.role)
  if (new Set(refs).size < refs.length || new Set(roles).size < roles.length) {
    throw new ApiError('invalid_input', 'Name each role and each project once')
  }
  return assignments
}
