import { sql } from 'kysely'
import type { RoleName } from '#contract/permissions'
import type { Db, Tx } from '../platform-database/database.ts'

export type Membership = {
  organizationId: string
  organizationSlug: string
  /** The organization asks a second factor of everybody in it. */
  requiresMfa: boolean
  /** For the whole organization; null with roles for single projects. */
  role: RoleName | null
  projectRoles: { role: RoleName; projects: { id: number; ref: string }[] }[]
}
/** `projectRef`: of the project in view; a branch goes by its parent's roles. */
export type ProjectMembership = Membership & { projectRef: string }
export type AccessStore = ReturnType<typeof accessStore>

const projectRoles = sql<Membership['projectRoles']>`
  coalesce((
    select json_agg(json_build_object('role', held.base_role, 'projects', held.projects))
    from (
      select role.base_role, json_agg(json_build_object('id', project.id, 'ref', project.ref) order by project.id) as projects
      from platform.project_roles role
      join platform.project_role_projects link on link.role_id = role.id
      join platform.projects project on project.id = link.project_id
      where role.organization_id = member.organization_id and role.user_id = member.user_id
        and project.organization_id = member.organization_id
        and (project.status <> 'REMOVED' or project.deleted_at is not null)
      group by role.id order by role.id
    ) held
  ), '[]'::json)`

/** The memberships of one person, with everything that decides what they may do. */
const memberships = (db: Db | Tx, userId: string) =>
  db
    .selectFrom('platform.members as member')
    .innerJoin(
      'platform.organizations as organization',
      'organization.id',
      'member.organization_id',
    )
    .select([
      'member.organization_id as organizationId',
      'organization.slug as organizationSlug',
      'organization.requires_mfa as requiresMfa',
      'member.role as role',
      projectRoles.as('projectRoles'),
    ])
    .where('member.user_id', '=', userId)

export function accessStore(db: Db) {
  const ofOrganization = (
    userId: string,
    slug: string,
    from: Db | Tx = db,
  ): Promise<Membership | undefined> =>
    memberships(from, userId).where('organization.slug', '=', slug).executeTakeFirst()

  return {
    all: (userId: string): Promise<Membership[]> =>
      memberships(db, userId).orderBy('organization.id').execute(),

    isOperator: async (userId: string): Promise<boolean> =>
      (await db
        .selectFrom('platform.operators as operator')
        .innerJoin('platform.profiles as profile', 'profile.user_id', 'operator.user_id')
        .select('operator.user_id')
        .where('operator.user_id', '=', userId)
        .where('profile.deleted_at', 'is', null)
        .executeTakeFirst()) !== undefined,

    /** Within a transaction, to decide on what cannot change before its end. */
    ofOrganization,

    /**
     * The membership that shows this project to its holder; of other projects they do not know. `inTrash`: one that waits there,
     * and no other.
     */
    ofProject: (
      userId: string,
      ref: string,
      inTrash = false,
    ): Promise<ProjectMembership | undefined> =>
      memberships(db, userId)
        .innerJoin('platform.projects as project', 'project.organization_id', 'organization.id')
        .leftJoin('platform.projects as parent', 'parent.id', 'project.parent_id')
        .select(sql<string>`coalesce(parent.ref, project.ref)`.as('projectRef'))
        .where('project.ref', '=', ref)
        .where('project.status', inTrash ? '=' : '<>', 'REMOVED')
        // A copy for a dry run is nobody's to look at, or to change.
        .where('project.is_dry_run', '=', false)
        .$if(inTrash, (query) => query.where('project.deleted_at', 'is not', null))
        .where(({ eb, or, exists, selectFrom }) =>
          or([
            eb('member.role', 'is not', null),
            exists(
              selectFrom('platform.project_role_projects as link')
                .select('link.role_id')
                .where('link.project_id', '=', sql<string>`coalesce(parent.id, project.id)`)
                .whereRef('link.user_id', '=', 'member.user_id'),
            ),
          ]),
        )
        .executeTakeFirst(),
  }
}
