import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { Snippet, SnippetType } from '#contract/database/snippets'
import type { SqlRun } from '#contract/database/sql/sql-history'
import type { TableLayout, TableView } from '#contract/database/table-views'
import type { DiagramLayout } from '#contract/database/diagram-layouts'
import type { LintName } from '#contract/observability/lints'
import type { Stamp } from './stamp.ts'

/** Calls, milliseconds and rows since the statistics began, by queryid. */
export type Figures = Record<string, [calls: number, time: number, rows: number]>

/** Rows of the database workbench: snippets, views, diagrams, advisors. */
export type DatabaseTables = {
  'platform.snippets': {
    id: string
    project_id: string
    owner_id: string
    name: string
    description: string | null
    type: SnippetType
    visibility: 'user' | 'project'
    content: JSONColumnType<Snippet['content']>
    folder_id: Generated<string | null>
    revision: Generated<number>
    inserted_at: Stamp
    updated_at: Stamp
  }
  'platform.snippet_favorites': { snippet_id: string; user_id: string }
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
  'platform.diagram_layouts': {
    id: Generated<string>
    project_id: string
    schema_name: string
    owner_id: string | null
    positions: JSONColumnType<DiagramLayout['positions']>
    updated_by: string | null
    updated_at: Stamp
  }
  'platform.advisor_exceptions': {
    id: Generated<string>
    project_id: string
    lint_name: LintName
    cache_key: string | null
    user_id: string | null
    note: string
    created_by: string
    inserted_at: Stamp
  }
  'platform.query_samples': {
    project_id: string
    taken_at: Stamp
    figures: JSONColumnType<Figures>
  }
}
