import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { LintName } from '#contract/observability/lints'

type Stamp = ColumnType<Date, Date | undefined, Date>

/** Calls, milliseconds and rows since the statistics began, by queryid. */
export type Figures = Record<string, [calls: number, time: number, rows: number]>

export type AdvisorTables = {
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
