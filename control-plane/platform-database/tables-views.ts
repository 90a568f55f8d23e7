import type { ColumnType, JSONColumnType } from 'kysely'
import type { TableLayout, TableView } from '#contract/database/table-views'

/** Written by the database when not given. */
type Stamp = ColumnType<Date, Date | undefined, Date>

/** What migrations/0015_table_views.sql makes. */
export type ViewTables = {
  'platform.table_views': {
    id: string
    project_id: string
    owner_id: string
    schema_name: string
    table_name: string
    name: string
    visibility: TableView['visibility']
    definition: JSONColumnType<TableView['definition']>
    updated_at: Stamp
  }
  'platform.table_layouts': {
    project_id: string
    user_id: string
    schema_name: string
    table_name: string
    layout: JSONColumnType<TableLayout>
    updated_at: Stamp
  }
  'platform.row_undos': {
    id: string
    project_id: string
    user_id: string
    schema_name: string
    table_name: string
    sealed_changes: string
    count: number
    applied_at: Stamp
  }
}
