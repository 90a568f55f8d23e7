import type { Input, Output } from '#contract/endpoint'
import type { members as api, Member } from '#contract/organizations/members'
import { roleNames, type RoleName } from '#contract/permissions'
import { roleId, roleOfId } from '#contract/roles'

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

type Roles = Output<typeof api.roles>
type ProjectName = { ref: string; name: string }
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
