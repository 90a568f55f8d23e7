import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inOrganization } from '../permissions.ts'
import { ProjectRef, Slug } from '../values.ts'

export const Member = z.object({
  gotrue_id: z.string(),
  username: z.string(),
  primary_email: z.string(),
  mfa_enabled: z.boolean(),
  is_sso_user: z.boolean(),
  /** One role for the whole organization, or any number of roles for single projects. */
  role_ids: z.array(z.number()),
  metadata: z.record(z.string(), z.unknown()),
})
export type Member = z.infer<typeof Member>

/** A role for the whole organization (ids 1-4, the same everywhere), or one that a member has for some projects. */
export const Role = z.object({
  id: z.number(),
  name: z.string(),
  description: z.string().nullable(),
  base_role_id: z.number(),
  /** Null: all projects. */
  project_ids: z.array(z.number()).nullable(),
  /** The same projects with their names. */
  projects: z.array(z.object({ ref: z.string(), name: z.string() })),
})
export type Role = z.infer<typeof Role>

/** A role's id as a path or body names it. */
export const RoleId = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER)

/** Projects of the organization, at least one. */
export const ProjectRefs = z.array(ProjectRef).min(1).max(1000)

const BySlug = z.object({ slug: Slug })
const ByMember = BySlug.extend({ gotrue_id: z.uuid() })

/** To give a role asks for this; which role it may be depends on the giver's own (facts §2.4). */
export const givesRoles = inOrganization('write:Create', 'auth.subject_roles')
export const takesRoles = inOrganization('write:Delete', 'auth.subject_roles')

export const members = {
  list: endpoint('members.list', 'GET /platform/organizations/:slug/members', {
    needs: inOrganization('read:Read', 'members'),
    input: BySlug,
    returns: z.array(Member),
  }),
  /**
   * Gives a member a role instead of all they had: one for the organization (`role_id`), one for some projects (with
   * `role_scoped_projects`), or several at once (`project_roles`).
   */
  update: endpoint('members.update', 'PATCH /platform/organizations/:slug/members/:gotrue_id', {
    needs: givesRoles,
    input: ByMember.extend({
      role_id: RoleId.optional(),
      role_scoped_projects: ProjectRefs.optional(),
      project_roles: z
        .array(z.object({ role_id: RoleId, role_scoped_projects: ProjectRefs }))
        .min(1)
        .max(20)
        .optional(),
    }),
    returns: Member,
  }),
  /** Everybody may leave; taking somebody else out asks for the right to take their role. */
  remove: endpoint('members.remove', 'DELETE /platform/organizations/:slug/members/:gotrue_id', {
    needs: inOrganization('read:Read', 'members'),
    input: ByMember,
    returns: z.object({ gotrue_id: z.string() }),
  }),
  /** Other projects for a role that a member has for single projects. */
  setRoleProjects: endpoint(
    'members.setRoleProjects',
    'PUT /platform/organizations/:slug/members/:gotrue_id/roles/:role_id',
    {
      needs: givesRoles,
      input: ByMember.extend({ role_id: RoleId, role_scoped_projects: ProjectRefs }),
      returns: Member,
    },
  ),
  /** Takes one of several roles for single projects. */
  removeRole: endpoint(
    'members.removeRole',
    'DELETE /platform/organizations/:slug/members/:gotrue_id/roles/:role_id',
    {
      needs: takesRoles,
      input: ByMember.extend({ role_id: RoleId }),
      returns: Member,
    },
  ),
  roles: endpoint('members.roles', 'GET /platform/organizations/:slug/roles', {
    needs: inOrganization('read:Read', 'roles'),
    input: BySlug,
    returns: z.object({
      org_scoped_roles: z.array(Role),
      project_scoped_roles: z.array(Role),
    }),
  }),
}
