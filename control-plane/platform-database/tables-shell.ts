import type { ColumnType, Generated, JSONColumnType } from 'kysely'

/** Written by the database when not given. */
type Stamp = ColumnType<Date, Date | undefined, Date>

/** What migrations/0006_shell.sql makes. */
export type ShellTables = {
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
}
