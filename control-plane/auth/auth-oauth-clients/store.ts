import type { Db, Tx } from '../../platform-database/database.ts'

export const authOauthClientsStore = (db: Db) => ({
  transaction: <T>(run: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(run),

  /** Whose project it is; undefined when there is none. */
  async organizationOf(ref: string): Promise<string | undefined> {
    const row = await db
      .selectFrom('platform.projects')
      .select('organization_id')
      .where('ref', '=', ref)
      .where('status', '<>', 'REMOVED')
      .executeTakeFirst()
    return row?.organization_id
  },
})
export type AuthOauthClientsStore = ReturnType<typeof authOauthClientsStore>
