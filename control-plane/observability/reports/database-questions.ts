import type { DatabaseQuestion } from '#contract/observability/report-charts'
import type { ReportAnswer } from '#contract/observability/reports'

type Table = NonNullable<ReportAnswer['table']>
type DatabaseAsk = { query: string; columns: Table['columns'] }

/** What a chart asks a project's database about the moment. The columns of its answer are numbered `c1`, `c2`, ... */
export const databaseAsks: Record<DatabaseQuestion, DatabaseAsk> = {
  largest_tables: {
    query: `select n.nspname || '.' || c.relname as c1, pg_total_relation_size(c.oid)::float8 as c2,
        pg_indexes_size(c.oid)::float8 as c3, greatest(c.reltuples, 0)::float8 as c4
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'm') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
      order by 2 desc, 1 limit 20`,
    columns: [
      { name: 'Table', unit: 'text' },
      { name: 'Size', unit: 'bytes' },
      { name: 'Indexes', unit: 'bytes' },
      { name: 'Rows (estimate)', unit: 'count' },
    ],
  },
  connections_by_role: {
    query: `select usename::text as c1, coalesce(state, 'unknown') as c2, count(*)::float8 as c3
      from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()
      group by 1, 2 order by 3 desc, 1, 2 limit 50`,
    columns: [
      { name: 'Role', unit: 'text' },
      { name: 'State', unit: 'text' },
      { name: 'Connections', unit: 'count' },
    ],
  },
}

/** Rows as the chart has them; what is neither a text nor a number is nothing. */
export const tableOf = (
  { columns }: DatabaseAsk,
  found: readonly Record<string, unknown>[],
): Table => ({
  columns,
  rows: found.map((row) =>
    columns.map((_, at) => {
      const value = row[`c${at + 1}`]
      return typeof value === 'number' || typeof value === 'string' ? value : null
    }),
  ),
})
