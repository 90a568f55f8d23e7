import type { ColumnType } from 'kysely'

/** What migrations/0039_webhooks.sql makes. */
export type WebhookTables = {
  'platform.webhook_projects': {
    project_id: string
    enabled_at: ColumnType<Date, Date | undefined, Date>
  }
}
