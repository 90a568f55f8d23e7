import type { Column, Table } from '#contract/database/pg-meta-shapes'
import { ApiError } from '#kit/errors'
import { columnsOf } from './columns.ts'
import type { Queryable } from '../queryable.ts'
import { inScope, isVisible, rowsOf, scopeValues, type Scope } from '../scope.ts'

/**
 * Tables of a page `page (oid)`, so that everything costly is looked up only for what is shown. Keys are looked through
 * once for all of it: Postgres has no index by the table that they point to.
 */
const detailsOfPage = `
  , pointing as (
    select f.oid, f.conrelid as id from pg_constraint f join page on page.oid = f.conrelid where f.contype = 'f'
    union
    select f.oid, f.confrelid from pg_constraint f join page on page.oid = f.confrelid where f.contype = 'f'
  ), keys as (
    select p.id, jsonb_agg(jsonb_build_object('id', f.oid::int8, 'constraint_name', f.conname,
      'source_schema', sn.nspname, 'source_table_name', sc.relname, 'source_column_name', sa.attname,
      'target_table_schema', tn.nspname, 'target_table_name', tc.relname, 'target_column_name', ta.attname)
      order by f.conname, f.oid, k.position) as list
    from pointing p
    join pg_constraint f on f.oid = p.oid
    join pg_class sc on sc.oid = f.conrelid join pg_namespace sn on sn.oid = sc.relnamespace
    join pg_class tc on tc.oid = f.confrelid join pg_namespace tn on tn.oid = tc.relnamespace
    cross join unnest(f.conkey, f.confkey) with ordinality k (source, target, position)
    join pg_attribute sa on sa.attrelid = sc.oid and sa.attnum = k.source
    join pg_attribute ta on ta.attrelid = tc.oid and ta.attnum = k.target
    group by p.id
  )
  select
    c.oid as id, n.nspname as schema, c.relname as name,
    c.relrowsecurity as rls_enabled, c.relforcerowsecurity as rls_forced,
    case c.relreplident when 'd' then 'DEFAULT' when 'i' then 'INDEX' when 'f' then 'FULL' else 'NOTHING' end
      as replica_identity,
    pg_total_relation_size(c.oid)::float8 as bytes,
    pg_size_pretty(pg_total_relation_size(c.oid)) as size,
    pg_stat_get_live_tuples(c.oid)::float8 as live_rows_estimate,
    pg_stat_get_dead_tuples(c.oid)::float8 as dead_rows_estimate,
    obj_description(c.oid, 'pg_class') as comment,
    coalesce((
      select jsonb_agg(jsonb_build_object('table_id', c.oid::int8, 'schema', n.nspname, 'table_name', c.relname,
        'name', a.attname) order by k.position)
      from pg_index i, unnest(i.indkey) with ordinality k (attnum, position), pg_attribute a
      where i.indrelid = c.oid and i.indisprimary and k.position <= i.indnkeyatts
        and a.attrelid = c.oid and a.attnum = k.attnum
    ), '[]') as primary_keys,
    coalesce(keys.list, '[]') as relationships
  from page
  join pg_class c on c.oid = page.oid
  join pg_namespace n on n.oid = c.relnamespace
  left join keys on keys.id = c.oid
  order by n.nspname, c.relname
`

const isTable = "c.relkind in ('r', 'p')"

const listSql = `
  with page as (
    select c.oid from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where ${isTable} and ${isVisible} and ${inScope}
      and ($6::text is null or strpos(lower(c.relname), lower($6)) > 0)
    order by n.nspname, c.relname limit $4 offset $5
  ) ${detailsOfPage}
`

export async function listTables(
  db: Queryable,
  scope: Scope & { include_columns: 'true' | 'false'; search?: string | undefined },
): Promise<Table[]> {
  const values = [...scopeValues(scope), scope.limit ?? null, scope.offset, scope.search ?? null]
  const tables = await rowsOf<Table>(db, listSql, values)
  return scope.include_columns === 'true' ? withColumns(db, tables) : tables
}

const getSql = `
  with page as (select c.oid from pg_class c where c.oid = $1::int8 and ${isTable} and ${isVisible})
  ${detailsOfPage}
`

export async function getTable(db: Queryable, id: number): Promise<Table> {
  const [table] = await withColumns(db, await rowsOf<Table>(db, getSql, [id]))
  if (!table) throw new ApiError('not_found', `Cannot find a table with ID ${id}`)
  return table
}

async function withColumns(db: Queryable, tables: Table[]): Promise<Table[]> {
  const byTable = new Map<number, Column[]>(tables.map(({ id }) => [id, []]))
  for (const column of await columnsOf(db, [...byTable.keys()]))
    byTable.get(column.table_id)?.push(column)
  return tables.map((table) => ({ ...table, columns: byTable.get(table.id) ?? [] }))
}
