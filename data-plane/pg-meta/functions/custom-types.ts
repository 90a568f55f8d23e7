import type { CustomType } from '#contract/database/database-types'
import type { Queryable } from '../queryable.ts'
import { inScope, rowsOf, scopeValues, type Scope } from '../scope.ts'

/** Columns named per type; a type that more of them have is used enough to say so. */
const maxUses = 20

/** Columns are looked through once for all types of a page: none of their indexes is by type. */
const listSql = `
  with page as (
    select t.oid from pg_type t
    join pg_namespace n on n.oid = t.typnamespace
    left join pg_class r on r.oid = t.typrelid
    where ${inScope} and (t.typtype in ('e', 'd', 'r') or t.typtype = 'c' and r.relkind = 'c')
    order by n.nspname, t.typname limit $4 offset $5
  ), used as (
    select w.type, row_number() over (partition by w.type order by cn.nspname, c.relname, a.attnum) as at,
      jsonb_build_object('schema', cn.nspname, 'table', c.relname, 'column', a.attname) as place
    from (
      select page.oid as type, page.oid as id from page
      union all select t.oid, t.typarray from page join pg_type t on t.oid = page.oid where t.typarray <> 0
    ) w
    join pg_attribute a on a.atttypid = w.id and a.attnum > 0 and not a.attisdropped
    join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p', 'v', 'm', 'f', 'c')
    join pg_namespace cn on cn.oid = c.relnamespace
  ), uses as (
    select type, jsonb_agg(place order by at) as list from used where at <= ${maxUses} group by type
  )
  select
    t.oid as id, n.nspname as schema, t.typname as name,
    case t.typtype when 'e' then 'enum' when 'd' then 'domain' when 'r' then 'range' else 'composite' end as kind,
    coalesce((select array_agg(e.enumlabel::text order by e.enumsortorder)
      from pg_enum e where e.enumtypid = t.oid), '{}') as values,
    coalesce((
      select jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
      from pg_attribute a
      where t.typrelid <> 0 and a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped
    ), '[]') as attributes,
    case t.typtype when 'd' then format_type(t.typbasetype, t.typtypmod)
      when 'r' then (select format_type(g.rngsubtype, null) from pg_range g where g.rngtypid = t.oid) end as base_type,
    t.typnotnull as not_null,
    case when t.typtype = 'd' then pg_get_expr(t.typdefaultbin, 0) end as default_value,
    coalesce((
      select jsonb_agg(jsonb_build_object('name', k.conname, 'definition', pg_get_constraintdef(k.oid)) order by k.conname)
      from pg_constraint k where k.contypid = t.oid and k.contype = 'c'
    ), '[]') as checks,
    obj_description(t.oid, 'pg_type') as comment,
    coalesce(uses.list, '[]') as used_by,
    (select e.extname from pg_depend d join pg_extension e on e.oid = d.refobjid
     where d.classid = 'pg_type'::regclass and d.objid = t.oid and d.deptype = 'e'
       and d.refclassid = 'pg_extension'::regclass) as extension
  from page
  join pg_type t on t.oid = page.oid
  join pg_namespace n on n.oid = t.typnamespace
  left join uses on uses.type = t.oid
  order by n.nspname, t.typname
`

export function listCustomTypes(db: Queryable, scope: Scope): Promise<CustomType[]> {
  const values = [...scopeValues(scope), scope.limit ?? null, scope.offset]
  return rowsOf<CustomType>(db, listSql, values)
}
