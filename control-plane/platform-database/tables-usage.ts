import type { ColumnType } from 'kysely'

/** Written as text, such as 2026-11-26. */
type Day = ColumnType<Date, string, string>

/** What migrations/0018_request_counts.sql, 0035_storage_use.sql, 0036_function_loads.sql and
 * 0038_rendered_images.sql make. */
export type UsageTables = {
  'platform.request_counts': {
    project_ref: string
    service: string
    began_at: Date
    seconds: number
    requests: string
    errors: string
    histogram: string[]
    cpu_ms: ColumnType<string, string | undefined, string>
    memory_mb: ColumnType<number, number | undefined, number>
  }
  'platform.storage_use': {
    project_ref: string
    day: Day
    egress: string
  }
  'platform.rendered_images': {
    project_ref: string
    month: Day
    origin: string
  }
  'platform.project_key_uses': {
    project_ref: string
    first_used_at: ColumnType<Date, Date | undefined, Date>
  }
}
