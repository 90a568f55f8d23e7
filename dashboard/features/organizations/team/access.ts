import type { Input } from '#contract/endpoint'
import type { members as api } from '#contract/organizations/members'
import { roleNames, type RoleName } from '#contract/permissions'
import { roleId } from '#contract/roles'
import type { MemberRow, ProjectName } from './member-rows.ts'

/** What somebody has or is to have: a role for all of it, or one for each of some projects. */
export type Access = {
  everywhere: boolean
  /** For the whole organization, or for every project that is chosen when each has the same. */
  role: RoleName
  projects: ReadonlyMap<string, { name: string; role: RoleName }>
}

export const noAccess: Access = { everywhere: true, role: 'Developer', projects: new Map() }

export function accessOf({ role, projectRoles }: MemberRow): Access {
  const projects = projectRoles.flatMap((one) =>
    one.projects.map(({ ref, name }) => [ref, { name, role: one.role }] satisfies [string, object]),
  )
  return {
    everywhere: role !== undefined,
    role: role ?? projectRoles[0]?.role ?? 'Developer',
    projects: new Map(projects),
  }
}

/** Chooses a project with this role, or leaves it out. */
export function withProject(access: Access, project: ProjectName, role: RoleName | undefined) {
  const projects = new Map(access.projects)
  if (role) projects.set(project.ref, { name: project.name, role })
  else projects.delete(project.ref)
  return { ...access, projects }
}

/** Another role, for the organization and for all the chosen projects. */
export const withRole = (access: Access, role: RoleName): Access => ({
  ...access,
  role,
  projects: new Map([...access.projects].map(([ref, { name }]) => [ref, { name, role }])),
})

const refsByRole = ({ projects }: Access): [RoleName, string[]][] =>
  roleNames
    .map((name): [RoleName, string[]] => [
      name,
      [...projects].filter(([, { role }]) => role === name).map(([ref]) => ref),
    ])
    .filter(([, refs]) => refs.length > 0)

/** The roles in it, to hold against what the reader may give. */
export const rolesIn = (access: Access): RoleName[] =>
  access.everywhere ? [access.role] : refsByRole(access).map(([role]) => role)

/** The body of the call that gives it. */
export function bodyOf(access: Access): Omit<Input<typeof api.update>, 'slug' | 'gotrue_id'> {
  if (access.everywhere) return { role_id: roleId(access.role) }
  return {
    project_roles: refsByRole(access).map(([role, refs]) => ({
      role_id: roleId(role),
      role_scoped_projects: refs,
    })),
  }
}

/** Why it cannot be given like this; undefined when it can. */
export const incomplete = (access: Access): string | undefined =>
  !access.everywhere && access.projects.size === 0 ? 'Choose at least one project' : undefined

export type Line = { where: string; before: string; after: string }

/** What would change, one line for each place: the organization, and each project. */
export function changesBetween(before: Access, after: Access): Line[] {
  const lines: Line[] = []
  const whole = (access: Access) => (access.everywhere ? access.role : 'No role')
  if (whole(before) !== whole(after))
    lines.push({ where: 'All projects', before: whole(before), after: whole(after) })
  const refs = new Set([...before.projects.keys(), ...after.projects.keys()])
  const single = (access: Access, ref: string) =>
    access.everywhere ? undefined : access.projects.get(ref)
  for (const ref of refs) {
    const [old, next] = [single(before, ref), single(after, ref)]
    if (old?.role === next?.role) continue
    lines.push({
      where: old?.name ?? next?.name ?? ref,
      before: old?.role ?? 'No role',
      after: next?.role ?? 'No role',
    })
  }
  return lines
}
