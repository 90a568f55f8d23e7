import type { ColumnType } from 'kysely'

export type ProjectSecretTables = {
  'platform.project_secrets': {
    project_id: string
    name: string
    sealed_value: string
    digest: string
    updated_at: ColumnType<Date, Date | undefined, Date>
  }
}
