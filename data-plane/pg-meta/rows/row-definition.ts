import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import { tableDefinition } from '#contract/database/table-definition'
import type { EntityOf } from '../tables/known-entities.ts'
import type { Queryable } from '../queryable.ts'
import { answer, type MetaRoute, type UseSession } from '../routes.ts'
import { rowsOf } from '../scope.ts'

/** In the order in which they can run. `$1` is the relation. Everything is printed by Postgres itself. */
const partsSql = `
  with r as (
    select c.oid, c.relkind, c.relrowsecurity, c.relforcerowsecurity, c.reloptions, format('%I.%I', n.nspname, c.relname) as name,
      c.relpartbound, c.relispartition
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = $1::int8
  ), columns as (
    select string_agg(format(E'  %I %s%s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
      case when a.attcollation <> t.typcollation then format(' collate %s', a.attcollation::regcollation) else '' end,
      case
        when a.attidentity <> '' then
          format(' generated %s as identity', case a.attidentity when 'a' then 'always' else 'by default' end)
        when a.attgenerated <> '' then format(' generated always as (%s) stored', pg_get_expr(d.adbin, d.adrelid))
        when d.adbin is not null then format(' default %s', pg_get_expr(d.adbin, d.adrelid))
        else ''
      end,
      case when a.attnotnull then ' not null' else '' end), E',\n' order by a.attnum) as list
    from r join pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  ), keys as (
    select string_agg(format(E',\n  constraint %I %s', o.conname, pg_get_constraintdef(o.oid)), ''
      order by array_position('{p,u,c,x,f}'::"char"[], o.contype), o.conname) as list
    from r join pg_constraint o on o.conrelid = r.oid and o.contype in ('p', 'u', 'c', 'x', 'f')
  )
  select statement from (
    select 1 as step, '' as by, case
      when relkind in ('r', 'p', 'f') then format(E'create %stable %s (\n%s%s\n)%s',
        case relkind when 'f' then 'foreign ' else '' end, name, coalesce(columns.list, ''), coalesce(keys.list, ''),
        case relkind when 'p' then ' partition by ' || pg_get_partkeydef(r.oid)
          when 'f' then (select format(' server %I', s.srvname) from pg_foreign_table f
            join pg_foreign_server s on s.oid = f.ftserver where f.ftrelid = r.oid) else '' end)
      else format(E'create %sview %s%s as\n%s', case relkind when 'm' then 'materialized ' else '' end, name,
        case when reloptions is null then '' else format(' with (%s)', array_to_string(reloptions, ', ')) end,
        rtrim(pg_get_viewdef(r.oid, true), E'; \n'))
      end as statement
    from r, columns, keys
    union all
    select 2, i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid) from r join pg_index i on i.indrelid = r.oid
    where not exists (select from pg_constraint o where o.conindid = i.indexrelid and o.contype in ('p', 'u', 'x'))
    union all
    select 3, '', format('alter table %s enable row level security', name) from r where relrowsecurity
    union all
    select 4, '', format('alter table %s force row level security', name) from r where relforcerowsecurity
    union all
    select 5, p.polname, format('create policy %I on %s as %s for %s to %s%s%s', p.polname, r.name,
      case when p.polpermissive then 'permissive' else 'restrictive' end,
      case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end,
      (select string_agg(case when o = 0 then 'public' else quote_ident(pg_get_userbyid(o)) end, ', ') from unnest(p.polroles) o),
      coalesce(format(' using (%s)', pg_get_expr(p.polqual, p.polrelid)), ''),
      coalesce(format(' with check (%s)', pg_get_expr(p.polwithcheck, p.polrelid)), ''))
    from r join pg_policy p on p.polrelid = r.oid
    union all
    select 6, t.tgname, pg_get_triggerdef(t.oid, true) from r join pg_trigger t on t.tgrelid = r.oid and not t.tgisinternal
    union all
    select 7, '', format('comment on %s %s is %L',
      case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'f' then 'foreign table' else 'table' end,
      name, obj_description(oid, 'pg_class')) from r where obj_description(oid, 'pg_class') is not null
    union all
    select 8, a.attname, format('comment on column %s.%I is %L', r.name, a.attname, col_description(r.oid, a.attnum))
    from r join pg_attribute a on a.attrelid = r.oid and a.attnum > 0
    where col_description(r.oid, a.attnum) is not null
  ) parts where statement is not null order by step, by
`

const realtimeSql = `
  select case when p.oid is null then null
    else p.puballtables or exists (select from pg_publication_rel l where l.prpubid = p.oid and l.prrelid = $1::int8) end as on
  from (select 1) one left join pg_publication p on p.pubname = 'supabase_realtime'
`

async function definitionOf(db: Queryable, { id }: EntityDetail) {
  const parts = await rowsOf<{ statement: string }>(db, partsSql, [id])
  const [found] = await rowsOf<{ on: boolean | null }>(db, realtimeSql, [id])
  const sql = parts.map(({ statement }) => `${statement};\n`).join('\n')
  return { sql, realtime: found?.on ?? null }
}

export const definitionRoutes = (read: UseSession, entityOf: EntityOf): MetaRoute[] => [
  answer(read, tableDefinition.get, async (db, { id }, who) =>
    definitionOf(db, await entityOf(db, who, id)),
  ),
]
