import { DatabaseError } from 'pg'
import type { Db, Tx } from '../../platform-database/database.ts'

export type ListenerStore = ReturnType<typeof listenerStore>

const uniqueViolation = '23505'

export const listenerStore = (db: Db) => ({
  portOf: (ref: string) =>
    db
      .selectFrom('platform.projects')
      .select('listen_port')
      .where('ref', '=', ref)
      .where('status', '<>', 'REMOVED')
      .executeTakeFirst(),

  /** False when another project has this port; `tx` can then only be rolled back. */
  async set(tx: Tx, ref: string, port: number | null): Promise<boolean> {
    try {
      await tx
        .updateTable('platform.projects')
        .set({ listen_port: port, updated_at: new Date() })
        .where('ref', '=', ref)
        .execute()
      return true
    } catch (error) {
      if (error instanceof DatabaseError && error.code === uniqueViolation) return false
      throw error
    }
  },

  isTaken: async (port: number): Promise<boolean> =>
    (await db
      .selectFrom('platform.projects')
      .select('id')
      .where('listen_port', '=', port)
      .where('status', '<>', 'REMOVED')
      .executeTakeFirst()) !== undefined,

  async all(): Promise<{ ref: string; port: number }[]> {
    const rows = await db
      .selectFrom('platform.projects')
      .select(['ref', 'listen_port'])
      .where('listen_port', 'is not', null)
      .where('status', '<>', 'REMOVED')
      .orderBy('id')
      .execute()
    return rows.flatMap(({ ref, listen_port: port }) => (port === null ? [] : [{ ref, port }]))
  },
})
