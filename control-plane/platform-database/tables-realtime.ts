import type { ColumnType, JSONColumnType } from 'kysely'

export type RealtimeTables = {
  'platform.realtime_configs': {
    project_id: string
    settings: JSONColumnType<Record<string, unknown>>
    updated_at: ColumnType<Date, Date | undefined, Date>
  }
}
