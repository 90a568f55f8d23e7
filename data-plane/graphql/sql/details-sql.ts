/** Whether the view has an INSTEAD OF trigger for this event: bits of pg_trigger.tgtype, 64 is INSTEAD. */
const triggered = (event: 4 | 16) => `exists (select from pg_catalog.pg_trigger g
  where g.tgrelid = a.attrelid and shown.relkind = 'v' and g.tgtype & ${64 + event} = ${64 + event})`

/**
 * What GraphQL has to know of a schema beside the schema cache: privileges of the role that asks, comments, enums.
 * $1: the schema. Runs in that role, so that a role which cannot be taken gets nowhere. One row per object: kind, JSON.
 */
export const detailsSql = `
with recursive
base_types(oid, base) as (
  select t.oid, t.oid from pg_catalog.pg_type t where t.typtype <> 'd'
  union all
  select t.oid, b.base from pg_catalog.pg_type t join base_types b on t.typbasetype = b.oid where t.typtype = 'd'
),
shown as (
  select c.oid, c.relname, c.relkind, n.oid as schema
  from pg_catalog.pg_class c
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where n.nspname = $1 and c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
    and pg_catalog.has_schema_privilege(n.oid, 'usage') and pg_catalog.has_any_column_privilege(c.oid, 'select')
),
columns as (
  select a.attrelid, pg_catalog.json_agg(pg_catalog.json_build_object(
    'name', a.attname,
    'not_null', a.attnotnull,
    'comment', pg_catalog.col_description(a.attrelid, a.attnum),
    'select', pg_catalog.has_column_privilege(a.attrelid, a.attnum, 'select'),
    'insert', pg_catalog.has_column_privilege(a.attrelid, a.attnum, 'insert') and writable.inserted,
    'update', pg_catalog.has_column_privilege(a.attrelid, a.attnum, 'update') and writable.updated,
    'array', b.typcategory = 'A',
    'type', case when e.typnamespace = 'pg_catalog'::pg_catalog.regnamespace or e.typname = 'citext' then e.typname end,
    'enum', case when e.typtype = 'e' then e.oid::pg_catalog.text end,
    'ordered', exists (
      select from pg_catalog.pg_opclass o join pg_catalog.pg_am m on m.oid = o.opcmethod and m.amname = 'btree'
      where o.opcdefault and (o.opcintype = b.oid or exists (
        select from pg_catalog.pg_cast k
        where k.castsource = b.oid and k.casttarget = o.opcintype and k.castmethod = 'b' and k.castcontext = 'i')
        or b.typtype = 'e' and o.opcintype = 'pg_catalog.anyenum'::pg_catalog.regtype
        or b.typtype = 'r' and o.opcintype = 'pg_catalog.anyrange'::pg_catalog.regtype
        or b.typcategory = 'A' and o.opcintype = 'pg_catalog.anyarray'::pg_catalog.regtype)
    )
  ) order by a.attnum) as list
  from pg_catalog.pg_attribute a
  join shown on shown.oid = a.attrelid
  cross join lateral (
    select shown.relkind in ('r', 'p') or pg_catalog.pg_column_is_updatable(a.attrelid, a.attnum, false) as itself
  ) column_of
  cross join lateral (
    -- Of a view with a trigger that does it, every column is.
    select column_of.itself or ${triggered(4)} as inserted, column_of.itself or ${triggered(16)} as updated
  ) writable
  join base_types bt on bt.oid = a.atttypid
  join pg_catalog.pg_type b on b.oid = bt.base
  join pg_catalog.pg_type e on e.oid = case when b.typcategory = 'A' and b.typelem <> 0 then b.typelem else b.oid end
  where a.attnum > 0 and not a.attisdropped
  group by a.attrelid
)
select 'table', pg_catalog.json_build_object(
  'name', shown.relname,
  'comment', pg_catalog.obj_description(shown.oid, 'pg_class'),
  'delete', pg_catalog.has_table_privilege(shown.oid, 'delete'),
  'columns', columns.list
)::pg_catalog.text
from shown join columns on columns.attrelid = shown.oid
union all
select 'key', pg_catalog.json_build_object(
  'table', shown.relname,
  'name', k.conname,
  'comment', pg_catalog.obj_description(k.oid, 'pg_constraint')
)::pg_catalog.text
from pg_catalog.pg_constraint k join shown on shown.oid = k.conrelid
where k.contype = 'f' and pg_catalog.obj_description(k.oid, 'pg_constraint') is not null
union all
select 'enum', pg_catalog.json_build_object(
  'id', t.oid::pg_catalog.text,
  'name', t.typname,
  'comment', pg_catalog.obj_description(t.oid, 'pg_type'),
  'labels', (select pg_catalog.json_agg(l.enumlabel order by l.enumsortorder) from pg_catalog.pg_enum l where l.enumtypid = t.oid)
)::pg_catalog.text
from pg_catalog.pg_type t where t.typtype = 'e'
union all
select 'schema', pg_catalog.json_build_object('comment', pg_catalog.obj_description(n.oid, 'pg_namespace'))::pg_catalog.text
from pg_catalog.pg_namespace n where n.nspname = $1`
