import type { Permission } from '#contract/permissions'
import { guestGrants, roleGrants, type RoleGrant } from '#contract/roles'
import type { Membership } from './store.ts'

type Project = Membership['projectRoles'][number]['projects'][number]

const row = (
  membership: Membership,
  grant: RoleGrant,
  projects: readonly Project[],
): Permission => ({
  actions: [...grant.actions],
  resources: [...grant.resources],
  condition: grant.condition ?? null,
  restrictive: grant.restrictive ?? false,
  organization_id: Number(membership.organizationId),
  organization_slug: membership.organizationSlug,
  project_ids: projects.map(({ id }) => id),
  project_refs: projects.map(({ ref }) => ref),
})

/**
 * The permission rows of one membership. A role for the whole organization gives rows without projects; each role for
 * single projects gives rows that name them. Without a role for the organization there is still a little to see of it.
 */
export function rowsOf(membership: Membership): Permission[] {
  const { role, projectRoles } = membership
  const ofOrganization = (role ? roleGrants[role] : guestGrants).map((grant) =>
    row(membership, grant, []),
  )
  const ofProjects = projectRoles
    // Without projects the row would be one for the whole organization.
    .filter(({ projects }) => projects.length > 0)
    .flatMap(({ role: base, projects }) =>
      roleGrants[base].map((grant) => row(membership, grant, projects)),
    )
  return [...ofOrganization, ...ofProjects]
}
