import { DatabaseError, type PoolClient } from 'pg'
import type { Output, Parsed } from '#contract/endpoint'
import {
  queryPerformance,
  type Statement,
  type StatementSort,
} from '#contract/observability/query-performance'
import { quoteIdent } from '#contract/ddl/sql-text'
import { rowsOf } from '../scope.ts'

type List = Output<typeof queryPerformance.list>
type Row = Statement & { total: string; roles: string[] }

/** What sorts which way; all of them columns of the select below. */
const sortColumns: Record<StatementSort, string> = {
  total_time: 'total_time',
  calls: 'calls',
  mean_time: 'mean_time',
  max_time: 'max_time',
  rows: 'rows',
  cache_hit: 'cache_hit',
}

/** Asks about the catalogs or is no work of anybody's: what tools and this dashboard run. */
const housekeeping = String.raw`\m(pg_catalog|pg_class|pg_namespace|pg_attribute|pg_proc|pg_type|pg_stat\w*|pg_roles|pg_constraint|pg_index|pg_polic\w+|pg_extension|pg_settings|pg_available_\w+|pg_event_trigger|pg_database|pg_trigger|pg_publication\w*|pg_advisory\w*|to_reg\w+|pg_relation_size|pg_cancel_backend|pg_terminate_backend|information_schema|set_config|current_setting|supabase_migrations)\M|^\s*(begin|commit|rollback|set|show|discard|savepoint|release|explain|listen|notify|deallocate|fetch|close|vacuum|analyze)\M`

async function schemaOf(db: PoolClient): Promise<string | undefined> {
  const [found] = await rowsOf<{ schema: string }>(
    db,
    "select n.nspname as schema from pg_extension join pg_namespace n on n.oid = extnamespace where extname = 'pg_stat_statements'",
    [],
  )
  return found?.schema
}

const isNotLoaded = (error: unknown) => error instanceof DatabaseError && error.code === '55000'
const nothing = { since: null, roles: [], total: 0, statements: [] }

export async function listStatements(
  db: PoolClient,
  input: Parsed<typeof queryPerformance.list>,
): Promise<List> {
  const schema = await schemaOf(db)
  if (schema === undefined) return { state: 'not_installed', ...nothing }
  const text = listText(schema, input)
  const values = [
    input.whose === 'all',
    input.roles?.split(',') ?? null,
    input.search ?? '',
    input.min_calls,
    input.limit,
    input.offset,
    housekeeping,
  ]
  try {
    const rows = await rowsOf<Row>(db, text, values)
    const [first] = rows
    return {
      state: 'ready',
      since: await sinceOf(db, schema),
      roles: first?.roles ?? (await rolesOf(db, schema)),
      total: Number(first?.total ?? 0),
      statements: rows.map(({ total: _total, roles: _roles, ...statement }) => statement),
    }
  } catch (error) {
    if (isNotLoaded(error)) return { state: 'not_loaded', ...nothing }
    throw error
  }
}

function listText(schema: string, { sort, order }: { sort: StatementSort; order: 'asc' | 'desc' }) {
  const view = `${quoteIdent(schema)}.pg_stat_statements`
  // One row for a text and role, whether it ran by itself or inside of a function.
  return `
    with here as (
      select s.queryid::text as queryid, s.query, coalesce(pg_get_userbyid(s.userid)::text, '') as role,
        sum(s.calls)::float8 as calls, sum(s.total_exec_time) as total_time, sum(s.rows)::float8 as rows,
        min(s.min_exec_time) as min_time, max(s.max_exec_time) as max_time,
        sum(s.shared_blks_hit)::float8 as hit, sum(s.shared_blks_read)::float8 as read
      from ${view} s
      where s.dbid = (select oid from pg_database where datname = current_database())
      group by s.queryid, s.query, s.userid
    ), own as (
      select * from here
      where $1::boolean or (role !~ '^supabase_.*admin$' and query !~* $7)
    ), chosen as (
      select queryid, query, role, calls, total_time, total_time / greatest(calls, 1) as mean_time, min_time, max_time, rows,
        hit / nullif(hit + read, 0) as cache_hit,
        coalesce(total_time / nullif((select sum(total_time) from own), 0), 0) as share
      from own
      where ($2::text[] is null or role = any ($2)) and calls >= $4
        and ($3 = '' or position(lower($3) in lower(query)) > 0)
    )
    select *, count(*) over () as total, array(select distinct role from here order by role) as roles
    from chosen order by ${sortColumns[sort]} ${order === 'asc' ? 'asc' : 'desc'} nulls last, queryid, role
    limit $5 offset $6
  `
}

async function rolesOf(db: PoolClient, schema: string): Promise<string[]> {
  const view = `${quoteIdent(schema)}.pg_stat_statements`
  const text = `select distinct coalesce(pg_get_userbyid(userid)::text, '') as role from ${view}
    where dbid = (select oid from pg_database where datname = current_database()) order by 1`
  return (await rowsOf<{ role: string }>(db, text, [])).map(({ role }) => role)
}

/** Each statement knows since when, from version 1.11 on; before that only the whole list does. */
async function sinceOf(db: PoolClient, schema: string): Promise<string | null> {
  const view = `${quoteIdent(schema)}.pg_stat_statements`
  const [known] = await rowsOf<{ known: boolean }>(db, knowsSince, [view])
  const text = known?.known
    ? `select min(stats_since) as since from ${view} where dbid = (select oid from pg_database where datname = current_database())`
    : `select stats_reset as since from ${quoteIdent(schema)}.pg_stat_statements_info`
  const [info] = await rowsOf<{ since: Date | null }>(db, text, [])
  return info?.since?.toISOString() ?? null
}
const knowsSince =
  "select count(*) > 0 as known from pg_attribute where attrelid = to_regclass($1) and attname = 'stats_since' and not attisdropped"

/** Only what is counted for this database; others on the same server keep theirs. */
export async function resetStatements(db: PoolClient): Promise<{ since: string | null }> {
  const schema = await schemaOf(db)
  if (schema === undefined) return { since: null }
  const text = `select ${quoteIdent(schema)}.pg_stat_statements_reset(0, (select oid from pg_database where datname = current_database()), 0)`
  await db.query(text)
  return { since: new Date().toISOString() }
}
