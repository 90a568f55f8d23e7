/** What an attacker who owns a project types, for the journey that plays all of it against a whole platform. */

/** A function that writes down as whom it runs, and takes what it can when that is a superuser. */
const note = `
  create schema trap;
  create table trap.ran (who text, super bool);
  grant all on schema trap to public;
  grant all on trap.ran to public;
  create function trap.note() returns bool language plpgsql volatile as $$
  declare super bool := (select r.rolsuper from pg_catalog.pg_roles r where r.rolname operator(pg_catalog.=) current_user);
  begin
    if super then execute 'alter role postgres superuser'; end if;
    insert into trap.ran select session_user || ' as ' || current_user, super;
    return true;
  exception when others then return true;
  end $$;
  create function trap.fire() returns trigger language plpgsql as $$
    begin perform trap.note(); return coalesce(new, old); end $$`

const shadowed = [
  'pg_attribute',
  'pg_authid',
  'pg_class',
  'pg_constraint',
  'pg_database',
  'pg_extension',
  'pg_index',
  'pg_namespace',
  'pg_proc',
  'pg_roles',
  'pg_settings',
  'pg_stat_activity',
  'pg_stat_statements',
  'pg_trigger',
]

/** Names of their own in front of those of the catalogue, for everybody whose settings they may set. */
const shadows = [
  ...shadowed
    .filter((name) => !['pg_authid', 'pg_stat_statements'].includes(name))
    .map(
      (name) => `create view trap.${name} as select * from pg_catalog.${name} where trap.note()`,
    ),
  `create function trap.format(text, name, name) returns text language sql as $$ select case when trap.note() then 'x' end $$`,
  `create function trap.quote_ident(text) returns text language sql as $$ select case when trap.note() then $1 end $$`,
  `create function trap.current_setting(text, bool) returns text language sql as $$ select case when trap.note() then 'x' end $$`,
  `create function trap.same(name, name) returns bool language sql as $$ select trap.note() and $1 operator(pg_catalog.=) $2 $$`,
  'create operator trap.= (leftarg = name, rightarg = name, function = trap.same)',
  `create function trap.same(text, text) returns bool language sql as $$ select trap.note() and $1 operator(pg_catalog.=) $2 $$`,
  'create operator trap.= (leftarg = text, rightarg = text, function = trap.same)',
  `create function trap.same(oid, oid) returns bool language sql as $$ select trap.note() and $1 operator(pg_catalog.=) $2 $$`,
  'create operator trap.= (leftarg = oid, rightarg = oid, function = trap.same)',
]
export const settings = [
  'alter database postgres set search_path = trap, pg_catalog, public',
  ...['postgres', 'supabase_admin', 'plinth_storage', 'supabase_auth_admin', 'authenticator'].map(
    (role) => `alter role ${role} set search_path = trap, pg_catalog, public`,
  ),
]

/** Objects that run something when they are read, written, looked after or dropped. */
const objects = [
  'create table public.guarded (id int primary key, text text default (trap.note()::text) check (trap.note()))',
  'alter table public.guarded enable row level security, force row level security',
  'create policy note on public.guarded using (trap.note())',
  'create index on public.guarded ((length(text))) where id > 0',
  'grant all on public.guarded to anon, authenticated, service_role',
  'create rule note as on delete to public.guarded do also select trap.note()',
  'create view public.shown as select trap.note() as one',
  'grant all on public.shown to anon, authenticated, service_role',
  'create materialized view public.kept as select trap.note() as one',
  'create domain public.checked as int check (trap.note())',
  'create table public.of_domain (id int primary key, c public.checked)',
  'insert into public.guarded (id) select generate_series(1, 20)',
  'create function public.called() returns json language sql security definer as $$ select to_json(trap.note()) $$',
  'create publication everything for all tables',
]
const reached = [
  'auth.users',
  'auth.sessions',
  'auth.identities',
  'auth.audit_log_entries',
  'storage.objects',
  'storage.buckets',
  'realtime.messages',
  'realtime.subscription',
  'net.http_request_queue',
]
const triggers = reached.flatMap((table) => [
  `create trigger fire before insert or update or delete on ${table} for each row execute function trap.fire()`,
  `create policy note on ${table} using (trap.note())`,
  `alter table ${table} add column mine bool default trap.note()`,
  `create rule note as on insert to ${table} do also select trap.note()`,
])

/** Some of it is refused, which is as good. */
export const traps: readonly string[] = [
  note,
  ...shadows,
  ...objects,
  ...triggers,
  `create event trigger mine on ddl_command_end execute function trap.fire()`,
]

/** What must be refused by itself. */
export const climbs: readonly string[] = [
  'alter role postgres superuser',
  'create role root superuser login',
  'create role root; grant supabase_admin to root',
  'grant supabase_admin to postgres',
  'grant pg_execute_server_program to postgres',
  'grant pg_write_server_files to postgres',
  'grant pg_read_server_files to postgres',
  'grant pg_signal_backend to postgres with admin option',
  'set role supabase_admin',
  'set session authorization supabase_admin',
  "alter role supabase_admin password 'mine'",
  'alter role supabase_admin set search_path = trap',
  "alter system set archive_command = 'id'",
  "select set_config('session_preload_libraries', '/tmp/x', false), pg_reload_conf()",
  "copy (select 1) to program 'id'",
  "copy (select 1) to '/tmp/plinth-attack'",
  "copy pg_largeobject from '/etc/passwd'",
  "select lo_export(lo_from_bytea(0, 'x'), '/tmp/plinth-attack')",
  "select lo_import('/etc/passwd')",
  "select pg_read_file('/etc/passwd')",
  "select pg_ls_dir('/')",
  "select pg_stat_file('/etc/passwd')",
  "load '/tmp/x'",
  "create function root() returns int language c as '/tmp/x', 'root'",
  "create function root() returns int language internal as 'pg_reload_conf'",
  'create extension plpython3u',
  'create extension plperlu',
  'create extension adminpack',
  'create extension file_fdw',
  'select * from pg_authid',
  'select passwd from pg_shadow',
  'update pg_catalog.pg_authid set rolsuper = true',
  'set allow_system_table_mods = on',
  'set session_preload_libraries = x',
  "create subscription mine connection 'host=127.0.0.1' publication mine",
  "select pg_create_physical_replication_slot('x'), pg_promote()",
  'drop schema auth cascade',
  'drop schema storage cascade',
  'drop schema extensions cascade',
  'alter function auth.uid() owner to postgres',
  "create or replace function auth.uid() returns uuid language sql as 'select null::uuid'",
  'drop event trigger plinth_kept_objects',
]

/** Statements that would hold up, fill or end everybody else. */
export const bombs: readonly string[] = [
  "select repeat('x', 600000000)",
  "select repeat('x', 200000000) from generate_series(1, 20)",
  'select array_agg(n) from generate_series(1, 50000000) n',
  `select ${'/*'.repeat(100_000)} 1`,
  `select ${'('.repeat(50_000)}1`,
  'with recursive r as (select 1 as n union all select n + 1 from r) select count(*) from r',
  'select count(*) from generate_series(1, 1000000000) a, generate_series(1, 1000) b',
  "do $$ begin loop perform pg_notify('x', repeat('y', 7000)); end loop; end $$",
  'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()',
]
