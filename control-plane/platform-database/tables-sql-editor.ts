import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { SqlRun } from '#contract/database/sql/sql-history'

export type SqlEditorTables = {
  'platform.snippet_folders': {
    id: Generated<string>
    project_id: string
    owner_id: string
    name: string
    inserted_at: Generated<Date>
  }
  'platform.sql_runs': {
    id: string
    project_id: string
    user_id: string
    snippet_id: string | null
    name: string
    sql: string
    parameters: JSONColumnType<SqlRun['parameters']>
    status: SqlRun['status']
    ms: number | null
    /** A bigint. */
    rows: ColumnType<string | null, string | number | null | undefined, string | number | null>
    error: string | null
    started_at: Generated<Date>
  }
}
