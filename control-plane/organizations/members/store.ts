import { sql } from 'kysely'
import type { RoleName } from '#contract/permissions'
import type { Tier } from '#contract/billing/plans'
import type { Db, Tx } from '../../platform-database/database.ts'

export type MemberRow = {
  user_id: string
  role: RoleName | null
  username: string
  primary_email: string
}
export type ProjectRoleRow = {
  id: number
  user_id: string
  base_role: RoleName
  projects: { id: number; ref: string; name: string }[]
}
export type LockedOrganization = { id: string; slug: string; name: string; tier: Tier }
export type MemberStore = ReturnType<typeof memberStore>

export function memberStore(db: Db) {
  const membersOf = (slug: string, from: Db | Tx) =>
    from
      .selectFrom('platform.members as member')
      .innerJoin('platform.profiles as profile', 'profile.user_id', 'member.user_id')
      .innerJoin(
        'platform.organizations as organization',
        'organization.id',
        'member.organization_id',
      )
      .select(['member.user_id', 'member.role', 'profile.username', 'profile.primary_email'])
      .where('organization.slug', '=', slug)

  return {
    transaction: <T>(run: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(run),

    /** Whoever changes who is in an organization, or as what, waits here for the one before. */
    lock: (tx: Tx, slug: string): Promise<LockedOrganization | undefined> =>
      tx
        .selectFrom('platform.organizations')
        .select(['id', 'slug', 'name', 'tier'])
        .where('slug', '=', slug)
        .forUpdate()
        .executeTakeFirst(),

    list: (slug: string): Promise<MemberRow[]> =>
      membersOf(slug, db)
        .orderBy(sql`lower(profile.primary_email)`)
        .orderBy('member.user_id')
        .execute(),

    find: (slug: string, userId: string, from: Db | Tx = db): Promise<MemberRow | undefined> =>
      membersOf(slug, from).where('member.user_id', '=', userId).executeTakeFirst(),

    /** With the projects that are still there. */
    projectRoles: (slug: string, userId?: string, from: Db | Tx = db): Promise<ProjectRoleRow[]> =>
      from
        .selectFrom('platform.project_roles as role')
        .innerJoin(
          'platform.organizations as organization',
          'organization.id',
          'role.organization_id',
        )
        .select([
          sql<number>`role.id::float8`.as('id'),
          'role.user_id',
          'role.base_role',
          sql<ProjectRoleRow['projects']>`coalesce((
            select json_agg(json_build_object('id', p.id, 'ref', p.ref, 'name', p.name) order by lower(p.name))
            from platform.project_role_projects link join platform.projects p on p.id = link.project_id
            where link.role_id = role.id and p.status <> 'REMOVED'), '[]'::json)`.as('projects'),
        ])
        .where('organization.slug', '=', slug)
        .$if(userId !== undefined, (query) => query.where('role.user_id', '=', userId ?? ''))
        .orderBy('role.id')
        .execute(),

    /** The ids of those refs that are projects of the organization. */
    projectIds: async (tx: Tx, organizationId: string, refs: readonly string[]) =>
      (
        await tx
          .selectFrom('platform.projects')
          .select('id')
          .where('organization_id', '=', organizationId)
          .where('ref', 'in', refs)
          .where('status', '<>', 'REMOVED')
          .orderBy('id')
          .execute()
      ).map(({ id }) => id),

    /** False when this person is a member already. */
    async add(tx: Tx, organizationId: string, userId: string): Promise<boolean> {
      const made = await tx
        .insertInto('platform.members')
        .values({ organization_id: organizationId, user_id: userId, role: null })
        .onConflict((conflict) => conflict.doNothing())
        .returning('user_id')
        .executeTakeFirst()
      return made !== undefined
    },

    /** A role for the whole organization, or null, instead of all that this member had. */
    async setRole(tx: Tx, organizationId: string, userId: string, role: RoleName | null) {
      await tx
        .updateTable('platform.members')
        .set({ role })
        .where('organization_id', '=', organizationId)
        .where('user_id', '=', userId)
        .execute()
      await tx
        .deleteFrom('platform.project_roles')
        .where('organization_id', '=', organizationId)
        .where('user_id', '=', userId)
        .execute()
    },

    async addProjectRole(
      tx: Tx,
      organizationId: string,
      userId: string,
      role: RoleName,
      projectIds: readonly string[],
    ): Promise<void> {
      const { id } = await tx
        .insertInto('platform.project_roles')
        .values({ organization_id: organizationId, user_id: userId, base_role: role })
        .returning('id')
        .executeTakeFirstOrThrow()
      await tx
        .insertInto('platform.project_role_projects')
        .values(projectIds.map((project_id) => ({ project_id, user_id: userId, role_id: id })))
        .execute()
    },

    /** Gives the role exactly these projects; another role of the same member loses them. */
    async setProjects(tx: Tx, roleId: number, userId: string, projectIds: readonly string[]) {
      const links = tx.deleteFrom('platform.project_role_projects')
      await links.where('role_id', '=', String(roleId)).execute()
      await links.where('user_id', '=', userId).where('project_id', 'in', projectIds).execute()
      await tx
        .insertInto('platform.project_role_projects')
        .values(
          projectIds.map((project_id) => ({
            project_id,
            user_id: userId,
            role_id: String(roleId),
          })),
        )
        .execute()
      // A role that has no project left is none.
      await tx
        .deleteFrom('platform.project_roles as role')
        .where('role.user_id', '=', userId)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('platform.project_role_projects as link')
                .select('link.role_id')
                .whereRef('link.role_id', '=', 'role.id'),
            ),
          ),
        )
        .execute()
    },

    async removeProjectRole(tx: Tx, roleId: number): Promise<void> {
      await tx.deleteFrom('platform.project_roles').where('id', '=', String(roleId)).execute()
    },

    async remove(tx: Tx, organizationId: string, userId: string): Promise<void> {
      await tx
        .deleteFrom('platform.members')
        .where('organization_id', '=', organizationId)
        .where('user_id', '=', userId)
        .execute()
    },

    /** Whether somebody else owns the organization. */
    hasOtherOwner: async (tx: Tx, organizationId: string, userId: string): Promise<boolean> =>
      (await tx
        .selectFrom('platform.members')
        .select('user_id')
        .where('organization_id', '=', organizationId)
        .where('role', '=', 'Owner')
        .where('user_id', '<>', userId)
        .limit(1)
        .executeTakeFirst()) !== undefined,
  }
}
