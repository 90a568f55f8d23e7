/**
 * What the commands of psql ask of the catalog. `$1` is a pattern for the schema, `$2` one for the name, `$3` whether the
 * server's own are wanted, too. Columns are called as psql calls them.
 */

const inScope = `
  ($1::text is null or n.nspname ~ $1)
  and ($3::boolean or $1::text is not null or (n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'))
`

/** `$4`: the kinds of pg_class. */
export const relations = `
  select n.nspname as "Schema", c.relname as "Name",
    case c.relkind when 'r' then 'table' when 'p' then 'partitioned table' when 'v' then 'view'
      when 'm' then 'materialized view' when 'i' then 'index' when 'I' then 'partitioned index'
      when 'S' then 'sequence' when 'f' then 'foreign table' end as "Type",
    pg_get_userbyid(c.relowner) as "Owner",
    (select t.relname from pg_index i join pg_class t on t.oid = i.indrelid where i.indexrelid = c.oid) as "Table",
    case when c.relkind in ('r', 'm', 'i', 'S') then pg_size_pretty(pg_table_size(c.oid)) end as "Size",
    obj_description(c.oid, 'pg_class') as "Description"
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = any ($4::text[]::"char"[])
    and ($2::text is null or c.relname ~ $2)
    and ($1::text is not null or $2::text is null or pg_table_is_visible(c.oid))
    and ${inScope}
  order by 1, 2
`

export const functions = `
  select n.nspname as "Schema", p.proname as "Name", pg_get_function_result(p.oid) as "Result data type",
    pg_get_function_arguments(p.oid) as "Argument data types",
    case p.prokind when 'a' then 'agg' when 'w' then 'window' when 'p' then 'proc' else 'func' end as "Type"
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where ($2::text is null or p.proname ~ $2)
    and ($1::text is not null or $2::text is null or pg_function_is_visible(p.oid))
    and ${inScope}
  order by 1, 2, 4
`

export const types = `
  select n.nspname as "Schema", format_type(t.oid, null) as "Name", obj_description(t.oid, 'pg_type') as "Description"
  from pg_type t join pg_namespace n on n.oid = t.typnamespace
  where (t.typrelid = 0 or (select c.relkind = 'c' from pg_class c where c.oid = t.typrelid))
    and not exists (select from pg_type e where e.typarray = t.oid)
    and ($2::text is null or t.typname ~ $2)
    and ${inScope}
  order by 1, 2
`

/** What follows knows no schemas: `$1` is not looked at. */
export const schemas = `
  select n.nspname as "Name", pg_get_userbyid(n.nspowner) as "Owner", obj_description(n.oid, 'pg_namespace') as "Description"
  from pg_namespace n
  where $1::text is null and ($2::text is null or n.nspname ~ $2)
    and ($3::boolean or $2::text is not null or (n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'))
  order by 1
`

export const roles = `
  select r.rolname as "Role name",
    array_to_string(array_remove(array[
      case when r.rolsuper then 'Superuser' end, case when not r.rolinherit then 'No inheritance' end,
      case when r.rolcreaterole then 'Create role' end, case when r.rolcreatedb then 'Create DB' end,
      case when not r.rolcanlogin then 'Cannot login' end, case when r.rolreplication then 'Replication' end,
      case when r.rolbypassrls then 'Bypass RLS' end
    ], null), ', ') as "Attributes",
    array(select g.rolname::text from pg_auth_members m join pg_roles g on g.oid = m.roleid where m.member = r.oid order by 1) as "Member of"
  from pg_roles r
  where $1::text is null and ($2::text is null or r.rolname ~ $2)
    and ($3::boolean or $2::text is not null or r.rolname not like 'pg\\_%')
  order by 1
`

export const databases = `
  select d.datname as "Name", pg_get_userbyid(d.datdba) as "Owner", pg_encoding_to_char(d.encoding) as "Encoding",
    d.datcollate as "Collate", d.datctype as "Ctype", array_to_string(d.datacl, e'\\n') as "Access privileges"
  from pg_database d
  where $1::text is null and ($2::text is null or d.datname ~ $2) and $3::boolean is not null
  order by 1
`

export const extensions = `
  select e.extname as "Name", e.extversion as "Version", n.nspname as "Schema", obj_description(e.oid, 'pg_extension') as "Description"
  from pg_extension e join pg_namespace n on n.oid = e.extnamespace
  where ($1::text is null or n.nspname ~ $1) and ($2::text is null or e.extname ~ $2) and $3::boolean is not null
  order by 1
`

export const connection = `
  select current_database() as "Database", current_user as "Role", current_setting('server_version') as "Server version",
    current_setting('server_encoding') as "Encoding", current_schemas(false) as "Search path", pg_backend_pid() as "Process"
`
