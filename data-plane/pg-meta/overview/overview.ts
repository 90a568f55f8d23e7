import { quoteIdent } from '#contract/ddl/sql-text'
import type { Overview, SlowStatement } from '#contract/projects/project-overview'
import type { Queryable } from '../queryable.ts'
import { rowsOf } from '../scope.ts'

/** Schemas of the server, of the platform's services and of extensions: what is in them nobody made here. */
const own = `
  n.nspname not like 'pg\\_%' and n.nspname <> all (array['information_schema', 'auth', 'cron', 'extensions', 'net',
    'pgsodium', 'pgsodium_masks', 'pgbouncer', 'pgtle', 'realtime', 'storage', 'supabase_functions',
    'supabase_migrations', 'vault', 'graphql', 'graphql_public', 'pgmq_public'])
`

const ownTables = `
  pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and ${own}
    and not exists (select from pg_depend d
      where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
`

/** The first row makes a table's file longer than nothing, at once; statistics would lag behind. */
const factsSql = `
  select
    (select count(*)::int from ${ownTables} and not c.relispartition) as tables,
    exists (select from ${ownTables} and c.relkind = 'r' and pg_relation_size(c.oid) > 0) as has_rows,
    (select count(*)::int from pg_policy p where p.polrelid in (select c.oid from ${ownTables})) as policies,
    pg_database_size(current_database())::float8 as bytes,
    (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections,
    current_setting('max_connections')::int as max_connections,
    to_char(pg_postmaster_start_time() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as started_at
`

/** The extension can be there while the server does not count: its settings exist only where its library is loaded. */
const whereStatementsAre = `
  select n.nspname as schema from pg_extension e join pg_namespace n on n.oid = e.extnamespace
  where e.extname = 'pg_stat_statements' and current_setting('pg_stat_statements.max', true) is not null
`

/** What the platform itself asks: its own roles, and looks into the catalog such as this one. */
const ofThePlatform = String.raw`
  r.rolname in ('supabase_admin', 'supabase_auth_admin', 'supabase_storage_admin', 'supabase_realtime_admin',
    'plinth_storage', 'plinth_realtime', 'plinth_read_only', 'plinth_sql', 'authenticator')
  or s.query ~* '\m(pg_class|pg_proc|pg_namespace|pg_attribute|pg_type|pg_extension|pg_roles|pg_policy|pg_index|pg_stat_\w+|pg_catalog|information_schema|supabase_migrations)\M'
  or s.query ~* '^\s*(select set_config|set|reset|discard|begin|commit|rollback|savepoint)\M'
`

/** Most statements shown, and most signs of each. */
const shown = { statements: 5, signs: 500 }

export async function readOverview(db: Queryable): Promise<Overview> {
  type Facts = Omit<Overview, 'statements'>
  const [facts] = await rowsOf<Facts>(db, factsSql, [])
  if (!facts) throw new Error('The facts of a database are always one row')
  const [place] = await rowsOf<{ schema: string }>(db, whereStatementsAre, [])
  return { ...facts, statements: place ? await slowStatements(db, place.schema) : null }
}

function slowStatements(db: Queryable, schema: string): Promise<SlowStatement[]> {
  const view = `${quoteIdent(schema)}.pg_stat_statements`
  const sql = `
    with counted as (
      select s.query, s.calls, s.total_exec_time
      from ${view} s join pg_roles r on r.oid = s.userid
      where s.dbid = (select oid from pg_database where datname = current_database())
        and not (${ofThePlatform})
    )
    select left(query, $2) as query, sum(calls)::float8 as calls,
      sum(total_exec_time) / sum(calls) as mean_ms,
      sum(total_exec_time) / greatest((select sum(total_exec_time) from counted), 1e-9) as share
    from counted group by query order by sum(total_exec_time) desc limit $1
  `
  return rowsOf<SlowStatement>(db, sql, [shown.statements, shown.signs])
}
