import { notOfExtension, ofSchemas, relation } from './reading.ts'
import { counting } from './types.ts'

const isChosen = `n.nspname = any ($1::text[]) and ${notOfExtension('pg_class', 'c.oid')}`

const identity = `(select format(' generated %s as identity (sequence name %I.%I %s)',
    case a.attidentity when 'a' then 'always' else 'by default' end, sn.nspname, sc.relname, ${counting})
  from pg_depend d join pg_sequence s on s.seqrelid = d.objid join pg_class sc on sc.oid = d.objid
  join pg_namespace sn on sn.oid = sc.relnamespace
  where d.refclassid = 'pg_catalog.pg_class'::regclass and d.refobjid = a.attrelid and d.refobjsubid = a.attnum
    and d.classid = 'pg_catalog.pg_class'::regclass and d.deptype = 'i')`

/** A partition is made as a table of its own and attached afterwards; its identity is that of the table it belongs to. */
const columnLine = `
  format('%I %s%s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
    case when a.attcollation <> t.typcollation then (select format(' collate %I.%I', cn.nspname, co.collname)
      from pg_collation co join pg_namespace cn on cn.oid = co.collnamespace where co.oid = a.attcollation) end,
    case when a.attgenerated = 's' then ' generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ') stored'
      when a.attidentity <> '' then case when c.relispartition then '' else ${identity} end
      else ' default ' || pg_get_expr(d.adbin, d.adrelid) end,
    case when a.attnotnull then ' not null' end)`

const columnList = `coalesce((select string_agg(${columnLine}, ', ' order by a.attnum)
  from pg_attribute a join pg_type t on t.oid = a.atttypid
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and (a.attislocal or c.relispartition)), '')`

/** Of the table, and of what it keeps large values in. */
const options = `(select ' with (' || string_agg(format('%s%I = %L', o.prefix, o.option_name, o.option_value), ', ') || ')'
  from (select '' as prefix, own.* from pg_options_to_table(c.reloptions) own
    union all select 'toast.', large.* from pg_class tc cross join pg_options_to_table(tc.reloptions) large
    where tc.oid = c.reltoastrelid) o)`

/** With row level security from the first moment on: nobody reads rows that are still waiting for their policies. */
export const tables = ofSchemas(`
  select 'table' as kind, format('%I.%I', n.nspname, c.relname) as name, array[
    format('create %stable %I.%I (%s)%s%s%s', case c.relpersistence when 'u' then 'unlogged ' else '' end,
      n.nspname, c.relname, ${columnList},
      case when not c.relispartition then (select ' inherits (' || string_agg(format('%I.%I', pn.nspname, p.relname), ', '
          order by i.inhseqno) || ')'
        from pg_inherits i join pg_class p on p.oid = i.inhparent join pg_namespace pn on pn.oid = p.relnamespace
        where i.inhrelid = c.oid) end,
      case when c.relkind = 'p' then ' partition by ' || pg_get_partkeydef(c.oid) end,
      ${options}),
    format('alter table %I.%I %s row level security', n.nspname, c.relname,
      case when c.relrowsecurity then 'enable' else 'disable' end),
    format('alter table %I.%I %s row level security', n.nspname, c.relname,
      case when c.relforcerowsecurity then 'force' else 'no force' end)] as sql
  from ${relation} where c.relkind in ('r', 'p') and ${isChosen} order by c.oid
`)

export const attachments = ofSchemas(`
  select 'partition' as kind, format('%I.%I', n.nspname, c.relname) as name,
    array[format('alter table only %I.%I attach partition %I.%I %s', pn.nspname, p.relname, n.nspname, c.relname,
      pg_get_expr(c.relpartbound, c.oid))] as sql
  from ${relation} join pg_inherits i on i.inhrelid = c.oid join pg_class p on p.oid = i.inhparent
  join pg_namespace pn on pn.oid = p.relnamespace
  where c.relispartition and c.relkind in ('r', 'p') and ${isChosen} order by c.oid
`)

const storages = `case a.attstorage when 'p' then 'plain' when 'e' then 'external' when 'm' then 'main' else 'extended' end`

/** How columns are kept where that was changed, defaults of views, and what a table says of its rows to replication. */
export const columnSettings = ofSchemas(`
  select 'column setting' as kind, format('%I.%I.%I', n.nspname, c.relname, a.attname) as name, array_remove(array[
    case when a.attstorage <> t.typstorage and a.attstorage <> '' then format('alter table only %I.%I alter column %I set storage %s', n.nspname, c.relname,
      a.attname, ${storages}) end,
    case when a.attcompression <> '' then format('alter table only %I.%I alter column %I set compression %s', n.nspname,
      c.relname, a.attname, case a.attcompression when 'l' then 'lz4' else 'pglz' end) end,
    case when coalesce(a.attstattarget, -1) >= 0 then format('alter table only %I.%I alter column %I set statistics %s',
      n.nspname, c.relname, a.attname, a.attstattarget) end,
    (select format('alter table only %I.%I alter column %I set (%s)', n.nspname, c.relname, a.attname,
      string_agg(format('%I = %L', o.option_name, o.option_value), ', ')) from pg_options_to_table(a.attoptions) o
      having count(*) > 0)], null) as sql
  from ${relation} join pg_attribute a on a.attrelid = c.oid join pg_type t on t.oid = a.atttypid
  where c.relkind in ('r', 'p', 'm') and a.attnum > 0 and not a.attisdropped and ${isChosen}
    and (a.attstorage <> t.typstorage or a.attcompression <> '' or coalesce(a.attstattarget, -1) >= 0 or a.attoptions is not null)
  union all
  select 'column default', format('%I.%I.%I', n.nspname, c.relname, a.attname),
    array[format('alter view %I.%I alter column %I set default %s', n.nspname, c.relname, a.attname,
      pg_get_expr(d.adbin, d.adrelid))]
  from ${relation} join pg_attrdef d on d.adrelid = c.oid
  join pg_attribute a on a.attrelid = c.oid and a.attnum = d.adnum where c.relkind = 'v' and ${isChosen}
`)

/** An index that it names comes before, since it is in the list after those. */
export const tableSettings = ofSchemas(`
  select 'replica identity' as kind, format('%I.%I', n.nspname, c.relname) as name,
    array[format('alter table only %I.%I replica identity %s', n.nspname, c.relname, case c.relreplident
      when 'f' then 'full' when 'n' then 'nothing' else (select format('using index %I', ic.relname)
        from pg_index i join pg_class ic on ic.oid = i.indexrelid where i.indrelid = c.oid and i.indisreplident) end)] as sql
  from ${relation} where c.relkind in ('r', 'p') and c.relreplident <> 'd' and ${isChosen}
  union all
  select 'clustering', format('%I.%I', n.nspname, c.relname),
    array[format('alter table %I.%I cluster on %I', n.nspname, c.relname, ic.relname)]
  from ${relation} join pg_index i on i.indrelid = c.oid and i.indisclustered join pg_class ic on ic.oid = i.indexrelid
  where c.relkind in ('r', 'm') and ${isChosen}
  union all
  select 'typed table', format('%I.%I', n.nspname, c.relname),
    array[format('alter table %I.%I of %s', n.nspname, c.relname, format_type(c.reloftype, null))]
  from ${relation} where c.reloftype <> 0 and ${isChosen}
  union all
  select 'owned sequence', format('%I.%I', n.nspname, c.relname),
    array[format('alter sequence %I.%I owned by %I.%I.%I', n.nspname, c.relname, tn.nspname, tc.relname, a.attname)]
  from ${relation} join pg_depend d on d.classid = 'pg_catalog.pg_class'::regclass and d.objid = c.oid and d.deptype = 'a'
    and d.refclassid = 'pg_catalog.pg_class'::regclass
  join pg_class tc on tc.oid = d.refobjid join pg_namespace tn on tn.oid = tc.relnamespace
  join pg_attribute a on a.attrelid = tc.oid and a.attnum = d.refobjsubid
  where c.relkind = 'S' and ${isChosen}
`)
