import type { Mail } from '#contract/operations/mailbox'
import type { Db } from '../../platform-database/database.ts'

export type NewMail = Pick<Mail, 'tenant' | 'recipient' | 'subject' | 'text' | 'html'>
export type MailStore = ReturnType<typeof mailStore>

export const mailStore = (db: Db) => ({
  async insert(mail: NewMail): Promise<void> {
    await db
      .insertInto('platform.mails')
      .values({
        tenant: mail.tenant,
        recipient: mail.recipient,
        subject: mail.subject,
        body_text: mail.text,
        body_html: mail.html,
      })
      .execute()
  },

  async list(limit: number, recipient: string | undefined): Promise<Mail[]> {
    const rows = await db
      .selectFrom('platform.mails')
      .selectAll()
      .$if(recipient !== undefined, (query) => query.where('recipient', '=', recipient ?? ''))
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
    return rows.map((row) => ({
      id: Number(row.id),
      tenant: row.tenant,
      recipient: row.recipient,
      subject: row.subject,
      text: row.body_text,
      html: row.body_html,
      sent_at: row.sent_at.toISOString(),
    }))
  },

  /** Keeps the newest `keep` mails. */
  async prune(keep: number): Promise<void> {
    await db
      .deleteFrom('platform.mails')
      .where('id', 'not in', (e) =>
        e.selectFrom('platform.mails').select('id').orderBy('id', 'desc').limit(keep),
      )
      .execute()
  },
})
