import type { Index } from '#contract/database/database-object-shapes'
import { ApiError } from '#kit/errors'
import type { Queryable } from '../queryable.ts'
import { inScope, isVisible, rowsOf, scopeValues, type Scope } from '../scope.ts'

/** Indexes of a page `page (oid)`: sizes and definitions cost something and are looked up for what is shown only. */
const detailsOfPage = `
  select
    x.oid as id, i.indrelid as table_id, n.nspname as schema, c.relname as table, x.relname as name,
    i.indnatts::int as number_of_attributes, i.indnkeyatts::int as number_of_key_attributes,
    i.indisunique as is_unique, i.indisprimary as is_primary, i.indisexclusion as is_exclusion,
    i.indimmediate as is_immediate, i.indisclustered as is_clustered, i.indisvalid as is_valid,
    i.indcheckxmin as check_xmin, i.indisready as is_ready, i.indislive as is_live,
    i.indisreplident as is_replica_identity,
    to_jsonb(i.indkey::int2[]) as key_attributes,
    (select jsonb_agg(o::int8) from unnest(i.indcollation::oid[]) o) as collation,
    (select jsonb_agg(o::int8) from unnest(i.indclass::oid[]) o) as class,
    to_jsonb(i.indoption::int2[]) as options,
    pg_get_expr(i.indpred, i.indrelid) as index_predicate,
    obj_description(x.oid, 'pg_class') as comment,
    pg_get_indexdef(x.oid) as index_definition,
    am.amname as access_method,
    (select jsonb_agg(jsonb_build_object('attribute_number', a.attnum,
        'attribute_name', a.attname, 'data_type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
      from pg_attribute a where a.attrelid = x.oid) as index_attributes,
    pg_relation_size(x.oid)::float8 as bytes, pg_size_pretty(pg_relation_size(x.oid)) as size,
    coalesce(pg_stat_get_numscans(x.oid), 0)::float8 as scans,
    pg_stat_get_lastscan(x.oid) as last_scan,
    (select k.conname from pg_constraint k
      where k.conindid = x.oid and k.conrelid = i.indrelid and k.contype in ('p', 'u', 'x')) as constraint
  from page
  join pg_index i on i.indexrelid = page.oid
  join pg_class x on x.oid = i.indexrelid
  join pg_class c on c.oid = i.indrelid
  join pg_namespace n on n.oid = c.relnamespace
  join pg_am am on am.oid = x.relam
  order by n.nspname, c.relname, x.relname
`

const listed = `
  select i.indexrelid as oid
  from pg_index i
  join pg_class x on x.oid = i.indexrelid
  join pg_class c on c.oid = i.indrelid
  join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'm') and ${isVisible}
`

const listSql = `
  with page as (${listed} and ${inScope} order by n.nspname, c.relname, x.relname limit $4 offset $5)
  ${detailsOfPage}
`
export function listIndexes(db: Queryable, scope: Scope): Promise<Index[]> {
  return rowsOf<Index>(db, listSql, [...scopeValues(scope), scope.limit ?? null, scope.offset])
}

const getSql = `with page as (${listed} and x.oid = $1::int8) ${detailsOfPage}`
export async function getIndex(db: Queryable, id: number): Promise<Index> {
  const [index] = await rowsOf<Index>(db, getSql, [id])
  if (!index) throw new ApiError('not_found', `Cannot find a index with ID ${id}`)
  return index
}
