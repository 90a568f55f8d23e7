import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { notificationPriorities, notificationStatuses } from '#contract/people/notifications'
import type { Stamp } from './stamp.ts'

/** Rows of accounts, mails, support, and what the shell of the dashboard remembers. */
export type PeopleTables = {
  'platform.profiles': {
    /** bigint travels as text, because a JavaScript number cannot hold all of them. */
    id: Generated<string>
    user_id: string
    auth0_id: string
    username: string
    primary_email: string
    first_name: string | null
    last_name: string | null
    inserted_at: Stamp
    deleted_at: Generated<Date | null>
  }
  'platform.jobs': {
    id: Generated<string>
    name: string
    subject: string
    accepted_at: Stamp
    finished_at: Date | null
    failure: string | null
  }
  'platform.mails': {
    id: Generated<string>
    tenant: string
    recipient: string
    subject: string
    body_text: string
    body_html: string
    sent_at: Stamp
  }
  'platform.access_tokens': {
    id: Generated<string>
    user_id: string
    name: string
    token_hash: string
    token_alias: string
    expires_at: Date | null
    last_used_at: Date | null
    inserted_at: Stamp
  }
  'platform.consents': { user_id: string; granted: string[]; decided_at: Stamp }
  'platform.telemetry_events': {
    id: Generated<string>
    kind: string
    session_id: string
    user_id: string | null
    action: string | null
    pathname: string | null
    properties: JSONColumnType<Record<string, unknown>>
    project: string | null
    organization: string | null
    context: JSONColumnType<Record<string, unknown>>
    occurred_at: Stamp
  }
  'platform.error_reports': {
    id: string
    message: string
    stack: string
    pathname: string
    version: string
    person: string
    user_agent: string
    reported_at: Stamp
  }
  'platform.flags': {
    key: string
    is_on: Generated<boolean>
    percentage: Generated<number>
    organizations: Generated<string[]>
    people: Generated<string[]>
    updated_at: Stamp
  }
  'platform.banners': {
    kind: string
    message: string
    link: string | null
    acknowledgement: string
    ends_at: ColumnType<Date | null, Date | string | null, Date | string | null>
    updated_at: Stamp
  }
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
  'platform.outgoing_mails': {
    id: string
    recipient: string
    sealed_content: string
    queued_at: Stamp
    sent_at: ColumnType<Date | null, never, Date>
  }
}
