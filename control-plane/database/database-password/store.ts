import type { Db, Tx } from '../../platform-database/database.ts'
import { lockProject } from '../../platform-database/lock-project.ts'

export const databasePasswordStore = (db: Db) => ({
  transaction: <T>(run: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(run),

  /** Two who set a password at once do it one after the other, in the database as in the platform. */
  lock: lockProject,

  /** Notes that the database and the row may differ from now on; it holds whatever becomes of the change. */
  async begin(ref: string): Promise<void> {
    await db
      .insertInto('platform.password_changes')
      .columns(['project_id'])
      .expression((e) =>
        e
          .selectFrom('platform.projects')
          .select('id as project_id')
          .where('ref', '=', ref)
          .where('status', '<>', 'REMOVED'),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  },

  async isNoted(tx: Tx, projectId: string): Promise<boolean> {
    const row = await tx
      .selectFrom('platform.password_changes')
      .select('project_id')
      .where('project_id', '=', projectId)
      .executeTakeFirst()
    return row !== undefined
  },

  /** They are the same once `tx` is committed. False: that was noted before. */
  async end(tx: Tx, projectId: string): Promise<boolean> {
    const { numDeletedRows } = await tx
      .deleteFrom('platform.password_changes')
      .where('project_id', '=', projectId)
      .executeTakeFirst()
    return numDeletedRows > 0n
  },

  /** Refs of projects that run, of which it is not known that they are the same. */
  async begun(): Promise<string[]> {
    const rows = await db
      .selectFrom('platform.password_changes as change')
      .innerJoin('platform.projects as project', 'project.id', 'change.project_id')
      .select('project.ref')
      .where('project.status', 'in', ['ACTIVE_HEALTHY', 'ACTIVE_UNHEALTHY'])
      .orderBy('project.id')
      .execute()
    return rows.map(({ ref }) => ref)
  },

  async setSecrets(tx: Tx, ref: string, sealed: string): Promise<void> {
    await tx
      .updateTable('platform.projects')
      .set({ sealed_secrets: sealed, updated_at: new Date() })
      .where('ref', '=', ref)
      .execute()
  },
})
export type DatabasePasswordStore = ReturnType<typeof databasePasswordStore>
