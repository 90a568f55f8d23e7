import type { Tier } from '#contract/billing/plans'
import type { Db, Tx } from '../../platform-database/database.ts'

export const authUsersStore = (db: Db) => ({
  transaction: <T>(run: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(run),

  /** Undefined when there is no such project. */
  async organizationOf(tx: Tx, ref: string): Promise<string | undefined> {
    const row = await tx
      .selectFrom('platform.projects')
      .select('organization_id')
      .where('ref', '=', ref)
      .executeTakeFirst()
    return row?.organization_id
  },

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
