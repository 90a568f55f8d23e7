import type { Column, EntityColumn } from '#contract/database/pg-meta-shapes'
import { ApiError } from '#kit/errors'
import type { Queryable } from '../queryable.ts'
import { inScope, isVisible, preparedRowsOf, rowsOf, scopeValues, type Scope } from '../scope.ts'

/**
 * Columns as JSON-ready rows, with `more` of each. `c` is pg_class, `n` its schema, `a` pg_attribute, `t` the type and `b`
 * what it is made of. A check counts for a column when it is the only column that the check reads; a column is unique by a
 * constraint of its own, which is what the API takes away, and not by the primary key or an index.
 */
const rowsWith = (more: string) => `
  select ${more}
    c.oid as table_id, n.nspname as schema, c.relname as table,
    c.oid || '.' || a.attnum as id, a.attnum::int as ordinal_position, a.attname as name,
    case when a.atthasdef then pg_get_expr(d.adbin, d.adrelid) end as default_value,
    case
      when b.typelem <> 0 and b.typlen = -1 and b.typcategory = 'A' then 'ARRAY'
      when bn.nspname = 'pg_catalog' then format_type(b.oid, null)
      else 'USER-DEFINED'
    end as data_type,
    b.typname as format,
    a.attidentity in ('a', 'd') as is_identity,
    case a.attidentity when 'a' then 'ALWAYS' when 'd' then 'BY DEFAULT' end as identity_generation,
    a.attgenerated <> '' as is_generated,
    not (a.attnotnull or t.typtype = 'd' and t.typnotnull) as is_nullable,
    (c.relkind in ('r', 'p')
      or c.relkind in ('v', 'f') and pg_column_is_updatable(c.oid, a.attnum, false)) as is_updatable,
    exists (
      select from pg_constraint u where u.conrelid = c.oid and u.contype = 'u' and u.conkey = array[a.attnum]
    ) as is_unique,
    coalesce(
      (select array_agg(e.enumlabel::text order by e.enumsortorder)
       from pg_enum e where e.enumtypid in (b.oid, nullif(b.typelem, 0))), '{}'
    ) as enums,
    (select pg_get_expr(k.conbin, k.conrelid)
     from pg_constraint k
     where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]
     order by k.oid limit 1) as check,
    col_description(c.oid, a.attnum) as comment
  from pg_attribute a
  join pg_class c on c.oid = a.attrelid
  join pg_namespace n on n.oid = c.relnamespace
  join pg_type t on t.oid = a.atttypid
  join pg_type b on b.oid = case when t.typtype = 'd' then t.typbasetype else t.oid end
  join pg_namespace bn on bn.oid = b.typnamespace
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attnum > 0 and not a.attisdropped and c.relkind in ('r', 'v', 'm', 'f', 'p')
`
const columnRows = rowsWith('')

const inList = `and ${isVisible} and ${inScope} order by n.nspname, c.relname, a.attnum limit $4 offset $5`

export function listColumns(db: Queryable, scope: Scope): Promise<Column[]> {
  const values = [...scopeValues(scope), scope.limit ?? null, scope.offset]
  return rowsOf<Column>(db, columnRows + inList, values)
}

/** All columns of the given tables, by table and position. */
export function columnsOf(db: Queryable, tables: readonly number[]): Promise<Column[]> {
  return preparedRowsOf<Column>(db, 'columns', ofTables, [tables])
}
const ofTables = `${columnRows} and c.oid = any ($1::oid[]) order by c.oid, a.attnum`

/** The columns of one table or view with their types in full, and as people write them. */
export function entityColumnsOf(db: Queryable, id: number): Promise<EntityColumn[]> {
  return preparedRowsOf<EntityColumn>(db, 'entity columns', ofEntity, [id])
}
const fullType =
  "format_type(b.oid, case when t.typtype = 'd' then t.typtypmod else a.atttypmod end) as type,"
const ofEntity = `
  select listed.*,
    case when t.typtype = 'd' then t.typname
      else coalesce(e.typname, t.typname)
        || case when a.atttypmod >= 0
          then coalesce(substring(format_type(a.atttypid, a.atttypmod) from '[(][^()]*[)]'), '') else '' end
        || case when e.oid is null then '' else '[]' end
    end as type_label,
    case when t.typtype = 'd' then format_type(t.typbasetype, t.typtypmod) end as base_type
  from (${rowsWith(fullType)} and c.oid = $1::int8) listed
  join pg_attribute a on a.attrelid = listed.table_id and a.attnum = listed.ordinal_position
  join pg_type t on t.oid = a.atttypid
  left join pg_type e on e.oid = t.typelem and t.typlen = -1 and t.typcategory = 'A'
  order by listed.ordinal_position
`

export async function getColumn(db: Queryable, id: string): Promise<Column> {
  const [table, position] = id.split('.')
  const sql = `${columnRows} and c.oid = $1::int8 and a.attnum = $2::int`
  const [column] = await rowsOf<Column>(db, sql, [table, position])
  if (!column) throw new ApiError('not_found', `Cannot find a column with ID ${id}`)
  return column
}
