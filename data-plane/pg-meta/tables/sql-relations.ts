import type { SqlRelation } from '#contract/database/sql/sql-tools'
import type { Queryable } from '../queryable.ts'
import { isVisible, rowsOf } from '../scope.ts'

const max = 10_000

const relationsSql = `
  with page as (
    select c.oid, n.nspname, c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
      and ${isVisible}
    order by n.nspname <> 'public', n.nspname, c.relname limit ${max}
  ), named as (
    select a.attrelid, array_agg(a.attname::text order by a.attnum) as columns,
      array_agg(t.typname::text order by a.attnum) as types
    from pg_attribute a join pg_type t on t.oid = a.atttypid
    where a.attnum > 0 and not a.attisdropped and a.attrelid in (select oid from page)
    group by a.attrelid
  )
  select p.nspname as schema, p.relname as name, coalesce(d.columns, '{}') as columns, coalesce(d.types, '{}') as types
  from page p left join named d on d.attrelid = p.oid
  order by p.nspname <> 'public', p.nspname, p.relname
`

export const listRelations = (db: Queryable): Promise<SqlRelation[]> =>
  rowsOf<SqlRelation>(db, relationsSql, [])
