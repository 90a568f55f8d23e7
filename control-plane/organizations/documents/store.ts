import type { Tier } from '#contract/billing/plans'
import type { Db, Tx } from '../../platform-database/database.ts'

export type DocumentStore = ReturnType<typeof documentStore>

export const documentStore = (db: Db) => ({
  transaction: <T>(run: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(run),

  organization: (slug: string): Promise<{ id: string; tier: Tier } | undefined> =>
    db
      .selectFrom('platform.organizations')
      .select(['id', 'tier'])
      .where('slug', '=', slug)
      .executeTakeFirst(),
})
