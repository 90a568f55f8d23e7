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
create role supabase_realtime_admin login noinherit;
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
-- Without REPLICATION: see 013-replication.sql.
create role postgres login createdb createrole bypassrls;
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
