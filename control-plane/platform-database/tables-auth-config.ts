import type { ColumnType, JSONColumnType } from 'kysely'

export type AuthConfigTables = {
  'platform.auth_configs': {
    project_id: string
    settings: JSONColumnType<Record<string, unknown>>
    /** Sealed texts, by key. */
    sealed_secrets: JSONColumnType<Record<string, string>>
    updated_at: ColumnType<Date, Date | undefined, Date>
  }
}
