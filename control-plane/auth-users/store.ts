import type { Tier } from '#contract/plans'
import type { Db } from '../database/database.ts'

export const authUsersStore = (db: Db) => ({
  /** The tier of a project's organization; undefined when there is no such project. */
  async tierOf(ref: string): Promise<Tier | undefined> {
    const row = await db
      .selectFrom('platform.projects as project')
      .innerJoin(
        'platform.organizations as organization',
        'organization.id',
        'project.organization_id',
      )
      .select('organization.tier')
      .where('project.ref', '=', ref)
      .executeTakeFirst()
    return row?.tier
  },
})
export type AuthUsersStore = ReturnType<typeof authUsersStore>
