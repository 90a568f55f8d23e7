-- Every role of a project. Run once as the bootstrap superuser `supabase_admin`; passwords are set later, per project.
-- A role without a password can not log in. The names are the ones that public client libraries and tools expect.

-- What a request may be. Never logged in to directly.
create role anon nologin noinherit;
create role authenticated nologin noinherit;
create role service_role nologin noinherit bypassrls;
create role dashboard_user nologin noinherit;

alter role anon set statement_timeout = '3s';
alter role authenticated set statement_timeout = '8s';

-- For outside tools that switch roles per request themselves.
create role authenticator login noinherit;
grant anon, authenticated, service_role to authenticator;
alter role authenticator set statement_timeout = '8s';
alter role authenticator set lock_timeout = '8s';

-- One login per request role: each can only ever be that one role, so an SQL injection has nowhere to climb to.
-- A session starts as the role itself; RESET ROLE returns to it, and the login behind it owns nothing.
create role authenticator_anon login noinherit;
create role authenticator_authenticated login noinherit;
create role authenticator_service_role login noinherit;
grant anon to authenticator_anon;
grant authenticated to authenticator_authenticated;
grant service_role to authenticator_service_role;
alter role authenticator_anon set role = 'anon';
alter role authenticator_anon set statement_timeout = '3s';
alter role authenticator_authenticated set role = 'authenticated';
alter role authenticator_authenticated set statement_timeout = '8s';
alter role authenticator_service_role set role = 'service_role';

-- The platform's services. Each owns its schema and nothing else.
create role supabase_auth_admin login noinherit;
create role supabase_storage_admin login noinherit;
create role supabase_realtime_admin login noinherit replication;
alter role supabase_auth_admin set search_path = 'auth';
alter role supabase_auth_admin set idle_in_transaction_session_timeout = '60s';
alter role supabase_storage_admin set search_path = 'storage';
-- The storage service acts as the caller when it checks the caller's policies.
grant anon, authenticated, service_role to supabase_storage_admin;

-- Members of the organization who may look and not touch.
-- Not through pg_read_all_data: that would show them the password verifiers of pg_authid. See 002-schemas.sql.
create role plinth_read_only login bypassrls;
alter role plinth_read_only set default_transaction_read_only = on;

-- The customer: owns the database, is not superuser, and holds no admin option over a platform role.
create role postgres login createdb createrole replication bypassrls;
grant pg_monitor, pg_read_all_data, pg_signal_backend to postgres;
grant anon, authenticated, service_role, authenticator to postgres with admin option;
grant set on parameter session_replication_role to postgres;

-- How the dashboard works as the customer: its sessions start as `postgres`, whatever password the customer gives it.
create role plinth_sql login noinherit;
grant postgres to plinth_sql;
alter role plinth_sql set role = 'postgres';

-- The database is the one this file runs in: `postgres` in a project, a template in the tests.
do $$
begin
  execute format('alter database %I owner to postgres', current_database());
  execute format('alter database %I set search_path = "$user", public, extensions', current_database());
end
$$;

-- Schemas and what everybody may do in them. Objects of a service belong to the service's role.

create schema extensions authorization postgres;
create schema auth authorization supabase_auth_admin;
create schema storage authorization supabase_storage_admin;
create schema realtime authorization supabase_realtime_admin;
create schema graphql_public authorization supabase_admin;

grant usage on schema extensions, auth, storage, realtime, graphql_public
  to postgres, anon, authenticated, service_role, dashboard_user;
grant usage on schema extensions to public;

-- `public` is owned by the owner of the database (pg_database_owner), which is `postgres`.
grant all on schema public to postgres;
grant usage on schema public to anon, authenticated, service_role;

-- Clients of this kind of platform expect that a new table in `public` can be reached at once; row level security decides.
alter default privileges for role postgres in schema public
  grant all on tables to anon, authenticated, service_role;
alter default privileges for role postgres in schema public
  grant all on sequences to anon, authenticated, service_role;
alter default privileges for role postgres in schema public
  grant all on functions to anon, authenticated, service_role;
alter default privileges for role supabase_admin in schema public
  grant all on tables to postgres, anon, authenticated, service_role;
alter default privileges for role supabase_admin in schema public
  grant all on sequences to postgres, anon, authenticated, service_role;
alter default privileges for role supabase_admin in schema public
  grant all on functions to postgres, anon, authenticated, service_role;

-- The customer reads, seeds and hangs triggers and foreign keys on the services' tables, but does not own them.
alter default privileges for role supabase_auth_admin in schema auth
  grant all on tables to postgres, dashboard_user;
alter default privileges for role supabase_auth_admin in schema auth
  grant all on sequences to postgres, dashboard_user;
alter default privileges for role supabase_auth_admin in schema auth
  grant all on functions to postgres, dashboard_user;
alter default privileges for role supabase_storage_admin in schema storage
  grant all on tables to postgres, dashboard_user;
alter default privileges for role supabase_storage_admin in schema storage
  grant all on sequences to postgres, dashboard_user;
alter default privileges for role supabase_storage_admin in schema storage
  grant all on functions to postgres, dashboard_user;
alter default privileges for role supabase_realtime_admin in schema realtime
  grant all on tables to postgres, dashboard_user;
alter default privileges for role supabase_realtime_admin in schema realtime
  grant all on functions to postgres, dashboard_user;

-- Read-only members read whatever the customer makes, in any schema.
grant usage on schema public, extensions, auth, storage, realtime to plinth_read_only;
alter default privileges for role postgres grant usage on schemas to plinth_read_only;
alter default privileges for role postgres grant select on tables to plinth_read_only;
alter default privileges for role postgres grant select on sequences to plinth_read_only;

-- Who is asking? The services put the verified claims of a request into `request.jwt.claims` (JSON) for one transaction;
-- `request.jwt.claim.<name>` is the older form that some tools still set. Stable and plain SQL, so policies inline them.

set role supabase_auth_admin;

create function auth.jwt() returns jsonb language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claims', true), ''),
    nullif(current_setting('request.jwt.claim', true), '')
  )::jsonb
$$;

create function auth.uid() returns uuid language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub',
    nullif(current_setting('request.jwt.claim.sub', true), '')
  )::uuid
$$;

create function auth.role() returns text language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role',
    nullif(current_setting('request.jwt.claim.role', true), '')
  )
$$;

create function auth.email() returns text language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email',
    nullif(current_setting('request.jwt.claim.email', true), '')
  )
$$;

comment on function auth.uid() is 'The id of the user who makes the request, or null.';
comment on function auth.role() is 'The role the request runs as, from its token.';
comment on function auth.jwt() is 'All claims of the request''s token.';
comment on function auth.email() is 'The e-mail address of the user who makes the request, or null.';

reset role;

-- The extensions that a project has from the start, where the server's package brings them.
do $$
declare
  extension text;
begin
  for extension in
    select name from pg_available_extensions
    where name in ('pgcrypto', 'uuid-ossp', 'pg_stat_statements')
  loop
    execute format('create extension if not exists %I with schema extensions', extension);
  end loop;
end
$$;

grant execute on all functions in schema extensions to postgres;

-- Tells the data API that the schema has changed, once per transaction, when it commits.
-- Objects of a session (pg_temp) are nobody else's business and stay quiet.

create function extensions.notify_schema_change() returns event_trigger
language plpgsql set search_path = pg_catalog as $$
begin
  if exists (
    select from pg_event_trigger_ddl_commands()
    where schema_name is null or schema_name not like 'pg\_temp%'
  ) then
    notify pgrst, 'reload schema';
  end if;
end
$$;

create function extensions.notify_schema_drop() returns event_trigger
language plpgsql set search_path = pg_catalog as $$
begin
  if exists (select from pg_event_trigger_dropped_objects() where not is_temporary) then
    notify pgrst, 'reload schema';
  end if;
end
$$;

create event trigger plinth_schema_change on ddl_command_end
  execute function extensions.notify_schema_change();
create event trigger plinth_schema_drop on sql_drop
  execute function extensions.notify_schema_drop();

-- Tables whose changes clients may listen to. The customer adds tables to it.
create publication supabase_realtime;
alter publication supabase_realtime owner to postgres;

