import type { Insertable } from 'kysely'
import type { Db, Tx } from '../../platform-database/database.ts'
import type { Tables } from '../../platform-database/tables.ts'

export type SupportStore = ReturnType<typeof supportStore>
type Attachment = { id: string; name: string; content_type: string; content: Buffer }

export const supportStore = (db: Db) => ({
  transaction: <T>(run: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(run),

  /** Undefined when nobody has a profile of this id. */
  async keepFile(
    file: Omit<Attachment, 'id'> & { user_id: string },
  ): Promise<{ id: string } | undefined> {
    return db
      .insertInto('platform.support_attachments')
      .columns(['user_id', 'name', 'content_type', 'content'])
      .expression((e) =>
        e
          .selectFrom('platform.profiles')
          .select([
            'user_id',
            e.val(file.name).as('name'),
            e.val(file.content_type).as('content_type'),
            e.val(file.content).as('content'),
          ])
          .where('user_id', '=', file.user_id),
      )
      .returning('id')
      .executeTakeFirst()
  },

  async looseFiles(userId: string): Promise<number> {
    const { count } = await db
      .selectFrom('platform.support_attachments')
      .select((e) => e.fn.countAll<string>().as('count'))
      .where('user_id', '=', userId)
      .where('ticket_id', 'is', null)
      .executeTakeFirstOrThrow()
    return Number(count)
  },

  insert: (tx: Tx, ticket: Insertable<Tables['platform.support_tickets']>) =>
    tx
      .insertInto('platform.support_tickets')
      .values(ticket)
      .returning('id')
      .executeTakeFirstOrThrow(),

  /** Gives this person's loose files to a ticket. Files of others, or of another ticket, are not among those returned. */
  claimFiles: (tx: Tx, userId: string, ticketId: string, ids: string[]): Promise<Attachment[]> =>
    tx
      .updateTable('platform.support_attachments')
      .set({ ticket_id: ticketId })
      .where('id', 'in', ids)
      .where('user_id', '=', userId)
      .where('ticket_id', 'is', null)
      .returning(['id', 'name', 'content_type', 'content'])
      .execute(),

  organizationId: async (tx: Tx, slug: string): Promise<string | undefined> =>
    (
      await tx
        .selectFrom('platform.organizations')
        .select('id')
        .where('slug', '=', slug)
        .executeTakeFirst()
    )?.id,

  /** Forgets files that no request has named by `moment`. */
  async prune(moment: Date): Promise<void> {
    await db
      .deleteFrom('platform.support_attachments')
      .where('ticket_id', 'is', null)
      .where('inserted_at', '<', moment)
      .execute()
  },
})
