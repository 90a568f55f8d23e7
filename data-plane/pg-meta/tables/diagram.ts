import type { DiagramLink, DiagramTable } from '#contract/database/table-shapes'
import type { Queryable } from '../queryable.ts'
import { isVisible, rowsOf } from '../scope.ts'

const maxTables = 1000

const ofSchema = `
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = $1 and c.relkind in ('r', 'p') and not c.relispartition and ${isVisible}
`

const tablesSql = `
  with page as (select c.oid ${ofSchema} order by c.relname limit ${maxTables})
  select c.oid as id, c.relname as name, c.relrowsecurity as rls_enabled,
    obj_description(c.oid, 'pg_class') as comment,
    coalesce((
      select jsonb_agg(jsonb_build_object(
        'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
        'key', a.attnum = any (coalesce(keys.numbers, '{}')), 'unique', a.attnum = any (coalesce(singles.numbers, '{}')),
        'nullable', not a.attnotnull, 'identity', a.attidentity <> ''
      ) order by a.attnum)
      from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    ), '[]') as columns
  from page join pg_class c on c.oid = page.oid
  left join lateral (select k.conkey as numbers from pg_constraint k
    where k.conrelid = c.oid and k.contype = 'p') keys on true
  left join lateral (select array_agg(i.indkey[0]) as numbers from pg_index i
    where i.indrelid = c.oid and i.indisunique and i.indnkeyatts = 1 and i.indpred is null) singles on true
  order by c.relname
`

const linksSql = `
  select f.conname as name, f.conrelid as source, f.confrelid as target,
    (select array_agg(a.attname::text order by k.at) from unnest(f.conkey) with ordinality k (number, at)
     join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.number) as source_columns,
    (select array_agg(a.attname::text order by k.at) from unnest(f.confkey) with ordinality k (number, at)
     join pg_attribute a on a.attrelid = f.confrelid and a.attnum = k.number) as target_columns,
    case when tn.nspname <> $2 then tn.nspname || '.' || tc.relname end as target_name
  from pg_constraint f
  join pg_class tc on tc.oid = f.confrelid join pg_namespace tn on tn.oid = tc.relnamespace
  where f.contype = 'f' and f.conparentid = 0 and f.conrelid = any ($1::oid[])
  order by f.conrelid, f.conname
`

/** The tables of a schema with their columns, and what points from one to another. */
export async function diagramOf(db: Queryable, { schema }: { schema: string }) {
  const tables = await rowsOf<DiagramTable>(db, tablesSql, [schema])
  const ids = tables.map(({ id }) => id)
  const links = await rowsOf<DiagramLink>(db, linksSql, [ids, schema])
  if (tables.length < maxTables) return { tables, links, total: tables.length }
  const countSql = `select count(*)::int as total ${ofSchema}`
  const [count] = await rowsOf<{ total: number }>(db, countSql, [schema])
  return { tables, links, total: count?.total ?? tables.length }
}
