/** Schemas whose structure is the platform's or the server's own (facts §10). */
const ownSchemas = `
  'auth', 'cron', 'extensions', 'information_schema', 'net', 'pgsodium', 'pgsodium_masks', 'pgbouncer', 'pgtle',
  'realtime', 'storage', 'supabase_functions', 'supabase_migrations', 'vault', 'graphql', 'graphql_public', 'pgmq_public'
`
/** `n` is a row of pg_namespace. */
const ofPeople = `n.nspname not in (${ownSchemas}) and n.nspname not like 'pg\\_%'`
/** What an extension has made is described by the extension. */
const notOfExtension = (catalog: string, id: string) =>
  `not exists (select from pg_depend x where x.classid = '${catalog}'::regclass and x.objid = ${id} and x.deptype = 'e')`

const columnLine = `
  format('%I %s%s%s%s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
    case when a.attnotnull then ' not null' else '' end,
    case when a.attgenerated <> '' then ' generated as ' when d.adbin is not null then ' default ' else '' end
      || coalesce(pg_get_expr(d.adbin, d.adrelid), ''),
    case a.attidentity when 'a' then ' identity always' when 'd' then ' identity' else '' end,
    coalesce(' granted ' || a.attacl::text, ''),
    coalesce(' -- ' || col_description(c.oid, a.attnum), ''))
`

/**
 * Everything that people have made in a database, one row for each thing with a text that says all of it. Names are
 * read with an empty search path, so that every one has its schema.
 */
export const structureSql = `
  select 'schema' as kind, quote_ident(n.nspname) as name,
    concat_ws(E'\\n', 'owner ' || pg_get_userbyid(n.nspowner), 'granted ' || n.nspacl::text) as definition
  from pg_namespace n where ${ofPeople} and ${notOfExtension('pg_namespace', 'n.oid')}
  union all
  select case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'f' then 'foreign table'
      else 'table' end, format('%I.%I', n.nspname, c.relname),
    concat_ws(E'\\n',
      (select string_agg(${columnLine}, E'\\n' order by a.attnum) from pg_attribute a
       left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
       where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped),
      case when c.relkind in ('v', 'm') then pg_get_viewdef(c.oid) end,
      case when c.relkind = 'p' then 'partition by ' || pg_get_partkeydef(c.oid) end,
      case when c.relispartition then 'partition ' || pg_get_expr(c.relpartbound, c.oid) end,
      case when c.relrowsecurity then 'row level security' end,
      case when c.relforcerowsecurity then 'row level security forced' end,
      'granted ' || c.relacl::text, 'with ' || c.reloptions::text,
      '-- ' || obj_description(c.oid, 'pg_class'))
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and ${ofPeople} and ${notOfExtension('pg_class', 'c.oid')}
  union all
  select 'constraint', format('%I.%I.%I', n.nspname, c.relname, k.conname), pg_get_constraintdef(k.oid)
  from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
  where k.contype in ('p', 'u', 'f', 'c', 'x') and ${ofPeople}
  union all
  select 'index', format('%I.%I', n.nspname, c.relname), pg_get_indexdef(c.oid)
  from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
  where ${ofPeople} and not exists (select from pg_constraint k where k.conindid = c.oid and k.contype in ('p', 'u', 'x'))
  union all
  select 'policy', format('%I.%I.%I', n.nspname, c.relname, p.polname),
    concat_ws(E'\\n', case when p.polpermissive then 'permissive' else 'restrictive' end || ' for ' || p.polcmd::text,
      'to ' || array(select case when r = 0 then 'public' else pg_get_userbyid(r) end
        from unnest(p.polroles) r order by 1)::text,
      'using ' || pg_get_expr(p.polqual, p.polrelid), 'with check ' || pg_get_expr(p.polwithcheck, p.polrelid))
  from pg_policy p join pg_class c on c.oid = p.polrelid join pg_namespace n on n.oid = c.relnamespace where ${ofPeople}
  union all
  select 'trigger', format('%I.%I.%I', n.nspname, c.relname, t.tgname),
    concat_ws(E'\\n', pg_get_triggerdef(t.oid), case when t.tgenabled <> 'O' then 'enabled ' || t.tgenabled::text end)
  from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
  where not t.tgisinternal and ${ofPeople}
  union all
  select 'function', format('%I.%I(%s)', n.nspname, p.proname, pg_get_function_identity_arguments(p.oid)),
    concat_ws(E'\\n', case when p.prokind = 'a' then 'aggregate ' || pg_get_function_result(p.oid)
      else pg_get_functiondef(p.oid) end, 'granted ' || p.proacl::text)
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where ${ofPeople} and ${notOfExtension('pg_proc', 'p.oid')}
  union all
  select 'type', format('%I.%I', n.nspname, t.typname),
    case t.typtype
      when 'e' then 'enum ' || (select string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder)
        from pg_enum e where e.enumtypid = t.oid)
      when 'd' then concat_ws(' ', 'domain', format_type(t.typbasetype, t.typtypmod), t.typdefault,
        case when t.typnotnull then 'not null' end, (select string_agg(pg_get_constraintdef(k.oid), ' ' order by k.conname)
        from pg_constraint k where k.contypid = t.oid))
      when 'c' then 'composite ' || (select string_agg(format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod)),
        ', ' order by a.attnum) from pg_attribute a where a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped)
      else 'range' end
  from pg_type t join pg_namespace n on n.oid = t.typnamespace left join pg_class c on c.oid = t.typrelid
  where (t.typtype in ('e', 'd', 'r') or t.typtype = 'c' and c.relkind = 'c')
    and ${ofPeople} and ${notOfExtension('pg_type', 't.oid')}
  union all
  select 'extension', quote_ident(x.extname), 'version ' || x.extversion from pg_extension x where x.extname <> 'plpgsql'
  union all
  select 'publication', quote_ident(p.pubname), coalesce((select string_agg(format('%I.%I', n.nspname, c.relname), ', '
    order by n.nspname, c.relname) from pg_publication_rel r join pg_class c on c.oid = r.prrelid
    join pg_namespace n on n.oid = c.relnamespace where r.prpubid = p.oid), '')
  from pg_publication p
`
