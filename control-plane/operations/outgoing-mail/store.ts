import type { Db, Tx } from '../../platform-database/database.ts'

export type OutgoingMailStore = ReturnType<typeof outgoingMailStore>

export const outgoingMailStore = (db: Db) => ({
  async insert(
    tx: Tx,
    mail: { id: string; recipient: string; sealed_content: string },
  ): Promise<void> {
    await tx.insertInto('platform.outgoing_mails').values(mail).execute()
  },

  waiting: (id: string) =>
    db
      .selectFrom('platform.outgoing_mails')
      .select(['id', 'recipient', 'sealed_content'])
      .where('id', '=', id)
      .where('sent_at', 'is', null)
      .executeTakeFirst(),

  async markSent(id: string): Promise<void> {
    await db
      .updateTable('platform.outgoing_mails')
      .set({ sent_at: new Date(), sealed_content: '' })
      .where('id', '=', id)
      .execute()
  },

  /** Forgets mails that were sent before `moment`. */
  async prune(moment: Date): Promise<void> {
    await db.deleteFrom('platform.outgoing_mails').where('sent_at', '<', moment).execute()
  },
})
