import { apiRoles, realtimePublication, type TableShape } from '#contract/ddl/tables/table-shape'
import type { ListedTable } from '#contract/database/table-shapes'
import { ApiError } from '#kit/errors'
import type { Queryable } from '../queryable.ts'
import { isVisible, rowsOf } from '../scope.ts'

/** Two types whose name says something else without quotes. */
const short = (name: string) =>
  `case when ${name} in ('char', 'bit') then '"' || ${name} || '"' else ${name} end`

/** A type as SQL that reads the same wherever it is said: people's own types with their schema, all others short. */
const typeOf = `
  case
    when tn.nspname = 'pg_catalog' and a.atttypmod < 0 then
      case when t.typcategory = 'A' and t.typelem <> 0 and e.typname is not null and en.nspname = 'pg_catalog'
        then ${short('e.typname')} || '[]' else ${short('t.typname')} end
    when tn.nspname = 'pg_catalog'
      then replace(format_type(a.atttypid, a.atttypmod), 'character varying', 'varchar')
    when t.typcategory = 'A' and t.typelem <> 0
      then quote_ident(en.nspname) || '.' || quote_ident(e.typname) || '[]'
    else quote_ident(tn.nspname) || '.' || quote_ident(t.typname)
      || coalesce(substring(format_type(a.atttypid, a.atttypmod) from '\\([0-9, ]+\\)$'), '')
  end
`

/** Constraints of exactly this column; the oldest, when there are several. */
const alone = (kind: 'c' | 'u') => `
  left join lateral (
    select k.conname::text as name, pg_get_expr(k.conbin, k.conrelid) as expression from pg_constraint k
    where k.conrelid = c.oid and k.contype = '${kind}' and k.conkey = array[a.attnum] order by k.oid limit 1
  ) ${kind === 'c' ? 'checked' : 'singled'} on true
`

const columnsSql = `
  select a.attrelid as table_id, a.attname as name, ${typeOf} as type,
    not a.attnotnull as nullable,
    case when a.attgenerated = '' then pg_get_expr(d.adbin, d.adrelid) end as default,
    case when a.attgenerated <> '' then pg_get_expr(d.adbin, d.adrelid) end as generated,
    checked.expression as check,
    case a.attidentity when 'a' then 'ALWAYS' when 'd' then 'BY DEFAULT' end as identity,
    singled.name is not null or exists (
      select from pg_index i
      where i.indrelid = c.oid and i.indisunique and not i.indisprimary and i.indnkeyatts = 1
        and i.indkey[0] = a.attnum and i.indpred is null
    ) as unique,
    col_description(c.oid, a.attnum) as comment,
    singled.name as unique_name, checked.name as check_name
  from pg_attribute a
  join pg_class c on c.oid = a.attrelid
  join pg_type t on t.oid = a.atttypid
  join pg_namespace tn on tn.oid = t.typnamespace
  left join pg_type e on e.oid = t.typelem
  left join pg_namespace en on en.oid = e.typnamespace
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  ${alone('c')} ${alone('u')}
  where c.oid = any ($1::oid[]) and a.attnum > 0 and not a.attisdropped
  order by a.attrelid, a.attnum
`

const action = (column: string) => `
  case ${column} when 'c' then 'CASCADE' when 'r' then 'RESTRICT' when 'n' then 'SET NULL'
    when 'd' then 'SET DEFAULT' else 'NO ACTION' end
`
const namesBy = (table: string, numbers: string) => `
  (select coalesce(jsonb_agg(a.attname order by k.at), '[]') from unnest(${numbers}) with ordinality k (number, at)
   join pg_attribute a on a.attrelid = ${table} and a.attnum = k.number)
`

const isSent = `
  exists (select from pg_publication p left join pg_publication_rel r on r.prpubid = p.oid and r.prrelid = c.oid
    where p.pubname = '${realtimePublication}' and (p.puballtables or r.oid is not null))
`

const tableSql = `
  select c.oid as id, n.nspname as schema, c.relname as name, obj_description(c.oid, 'pg_class') as comment,
    c.relrowsecurity as rls,
    case when exists (select from pg_publication where pubname = '${realtimePublication}') then ${isSent} end as realtime,
    (select jsonb_build_object('name', k.conname, 'columns', ${namesBy('c.oid', 'k.conkey')})
     from pg_constraint k where k.conrelid = c.oid and k.contype = 'p') as primary_key,
    coalesce((
      select jsonb_agg(jsonb_build_object(
        'name', f.conname, 'columns', ${namesBy('f.conrelid', 'f.conkey')},
        'target_schema', tn.nspname, 'target_table', tc.relname,
        'target_columns', ${namesBy('f.confrelid', 'f.confkey')},
        'on_update', ${action('f.confupdtype')}, 'on_delete', ${action('f.confdeltype')}
      ) order by f.conname)
      from pg_constraint f
      join pg_class tc on tc.oid = f.confrelid join pg_namespace tn on tn.oid = tc.relnamespace
      where f.contype = 'f' and f.conrelid = c.oid and f.conparentid = 0
    ), '[]') as foreign_keys,
    coalesce((
      select jsonb_agg(jsonb_build_object('role', r.rolname, 'privileges', coalesce((
        select jsonb_agg(x.privilege_type) from aclexplode(c.relacl) x where x.grantee = r.oid
      ), '[]')) order by array_position($2::text[], r.rolname::text))
      from pg_roles r where r.rolname = any ($2::text[])
    ), '[]') as access
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.oid = any ($1::oid[]) and c.relkind in ('r', 'p', 'v', 'm', 'f') and ${isVisible}
`

type FoundColumn = TableShape['columns'][number] & { table_id: number }
type Found = Omit<TableShape, 'columns' | 'primary_key'> & {
  id: number
  primary_key: TableShape['primary_key'] | null
}

/** By their ids; what is not there is missing. */
export async function shapesOf(
  db: Queryable,
  ids: readonly number[],
): Promise<Map<number, TableShape>> {
  const tables = await rowsOf<Found>(db, tableSql, [ids, apiRoles])
  const columns = new Map<number, TableShape['columns']>(ids.map((id) => [id, []]))
  for (const { table_id, ...column } of await rowsOf<FoundColumn>(db, columnsSql, [ids]))
    columns.get(table_id)?.push(column)
  return new Map(
    tables.map(({ id, ...found }) => {
      const primary_key = found.primary_key ?? { name: null, columns: [] }
      return [id, { ...found, columns: columns.get(id) ?? [], primary_key }]
    }),
  )
}

export async function shapeOf(db: Queryable, { id }: { id: number }): Promise<TableShape> {
  const shape = (await shapesOf(db, [id])).get(id)
  if (!shape) throw new ApiError('not_found', `Cannot find a table or view with ID ${id}`)
  return shape
}

/** Default privileges for all schemas and for this one add up. */
const startSql = `
  select exists (select from pg_publication where pubname = '${realtimePublication}') as can_send,
    coalesce((
      select jsonb_agg(jsonb_build_object('role', r.rolname, 'privileges', coalesce((
        select jsonb_agg(distinct x.privilege_type)
        from pg_default_acl d cross join aclexplode(d.defaclacl) x
        left join pg_namespace n on n.oid = d.defaclnamespace
        where d.defaclobjtype = 'r' and d.defaclrole = current_user::regrole
          and (d.defaclnamespace = 0 or n.nspname = $2) and x.grantee = r.oid
      ), '[]')) order by array_position($1::text[], r.rolname::text))
      from pg_roles r where r.rolname = any ($1::text[])
    ), '[]') as access
`

export async function startOf(db: Queryable, { schema }: { schema: string }) {
  type Row = { can_send: boolean; access: TableShape['access'] }
  const [row] = await rowsOf<Row>(db, startSql, [apiRoles, schema])
  return { access: row?.access ?? [], realtime: row?.can_send ? false : null }
}

/** Asking the file system for sizes takes its time: in a schema of more tables than these, what ANALYZE last saw is told. */
const maxMeasured = 500

const listSql = `
  with own as (
    select c.oid, c.relname, c.relkind, c.relpages, c.reltuples, c.reltoastrelid, c.relrowsecurity
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = $1 and c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition and ${isVisible}
    order by c.relname limit 10000
  ), indexed as (
    select i.indrelid as id, sum(x.relpages) as pages from pg_index i join pg_class x on x.oid = i.indexrelid
    group by i.indrelid
  ), counted as (
    select a.attrelid as id, count(*)::int as columns from pg_attribute a
    where a.attnum > 0 and not a.attisdropped group by a.attrelid
  ), sent as (
    select r.prrelid as id from pg_publication p join pg_publication_rel r on r.prpubid = p.oid
    where p.pubname = '${realtimePublication}'
  ), marks as (
    select (select count(*) from own) <= ${maxMeasured} as measured,
      exists (select from pg_publication p where p.pubname = '${realtimePublication}' and p.puballtables) as all_sent
  )
  select c.oid as id, c.relname as name,
    case c.relkind when 'r' then 'table' when 'p' then 'partitioned_table' when 'v' then 'view'
      when 'm' then 'materialized_view' else 'foreign_table' end as kind,
    d.description as comment,
    case when c.relkind in ('v', 'f') then null
      else coalesce(nullif(pg_stat_get_live_tuples(c.oid), 0), greatest(c.reltuples, 0)::int8)::float8
      end as rows_estimate,
    case when c.relkind not in ('r', 'm') then 0 when m.measured then pg_total_relation_size(c.oid)
      else (c.relpages + coalesce(i.pages, 0) + coalesce(t.relpages, 0)) * current_setting('block_size')::int8
      end::float8 as bytes,
    coalesce(n.columns, 0) as columns, c.relrowsecurity as rls_enabled,
    m.all_sent or s.id is not null as realtime
  from own c cross join marks m
  left join indexed i on i.id = c.oid
  left join counted n on n.id = c.oid
  left join sent s on s.id = c.oid
  left join pg_class t on t.oid = c.reltoastrelid
  left join pg_description d on d.objoid = c.oid and d.classoid = 'pg_class'::regclass and d.objsubid = 0
  order by c.relname
`
export const tableList = (db: Queryable, { schema }: { schema: string }) =>
  rowsOf<ListedTable>(db, listSql, [schema])
