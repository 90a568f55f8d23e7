import type { ColumnType } from 'kysely'

export type MailTables = {
  'platform.outgoing_mails': {
    id: string
    recipient: string
    sealed_content: string
    queued_at: ColumnType<Date, Date | undefined, Date>
    sent_at: ColumnType<Date | null, never, Date>
  }
}
