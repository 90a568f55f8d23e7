import type { FlagRules } from '#contract/operations/flags'
import type { Db, Tx } from '../../platform-database/database.ts'

export type Flag = FlagRules & { key: string }
export type FlagStore = ReturnType<typeof flagStore>

export const flagStore = (db: Db) => ({
  transaction: <T>(work: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(work),

  async all(): Promise<Flag[]> {
    const rows = await db.selectFrom('platform.flags').selectAll().orderBy('key').execute()
    return rows.map(({ key, is_on, percentage, organizations, people }) => ({
      key,
      on: is_on,
      percentage,
      organizations,
      people,
    }))
  },

  async put(tx: Tx, { key, on, ...rules }: Flag): Promise<void> {
    const values = { is_on: on, ...rules, updated_at: new Date() }
    await tx
      .insertInto('platform.flags')
      .values({ key, ...values })
      .onConflict((conflict) => conflict.column('key').doUpdateSet(values))
      .execute()
  },

  async remove(tx: Tx, key: string): Promise<boolean> {
    const gone = await tx
      .deleteFrom('platform.flags')
      .where('key', '=', key)
      .returning('key')
      .executeTakeFirst()
    return gone !== undefined
  },
})
