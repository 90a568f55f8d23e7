import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { notificationPriorities, notificationStatuses } from '#contract/people/notifications'

type Stamp = ColumnType<Date, Date | undefined, Date>

export type SupportTables = {
  'platform.support_tickets': {
    id: Generated<string>
    user_id: string
    organization_id: string | null
    project_ref: string | null
    category: string
    severity: string
    subject: string
    message: string
    details: JSONColumnType<Record<string, unknown>>
    inserted_at: Stamp
  }
  'platform.support_attachments': {
    id: Generated<string>
    user_id: string
    ticket_id: string | null
    name: string
    content_type: string
    content: Buffer
    inserted_at: Stamp
  }
  'platform.notifications': {
    id: Generated<string>
    user_id: string
    organization_id: string | null
    project_ref: string | null
    name: string
    priority: (typeof notificationPriorities)[number]
    status: ColumnType<
      (typeof notificationStatuses)[number],
      (typeof notificationStatuses)[number] | undefined,
      (typeof notificationStatuses)[number]
    >
    title: string
    message: string
    actions: JSONColumnType<{ label: string; url: string }[]>
    inserted_at: Stamp
  }
}
