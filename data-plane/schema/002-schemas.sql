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
