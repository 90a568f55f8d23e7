import type { ColumnType } from 'kysely'

/** What migrations/0018_request_counts.sql and 0035_storage_use.sql make. */
export type UsageTables = {
  'platform.request_counts': {
    project_ref: string
    service: string
    began_at: Date
    seconds: number
    requests: string
    errors: string
    histogram: string[]
  }
  'platform.storage_use': {
    project_ref: string
    day: string
    egress: string
    renders: string
  }
  'platform.project_key_uses': {
    project_ref: string
    first_used_at: ColumnType<Date, Date | undefined, Date>
  }
}
