-- Schemas of the services, and who may enter them. The key of the service role is the operator's own: it reaches every
-- table of `public`. What anon and authenticated may see is for the operator to grant.

create schema if not exists extensions;
create schema if not exists auth;
create schema if not exists storage;
create schema if not exists realtime;
create schema if not exists graphql_public;
do $$
declare
  service record;
begin
  for service in
    select * from (values ('auth', 'supabase_auth_admin'), ('storage', 'supabase_storage_admin'),
      ('realtime', 'supabase_realtime_admin')) as owners (name, owner)
  loop
    -- Only a schema that was just made changes hands: one with tables in it belongs to somebody.
    if not exists (select from pg_class where relnamespace = to_regnamespace(service.name)) then
      execute format('alter schema %I owner to %I', service.name, service.owner);
    end if;
    execute format('grant usage, create on schema %I to %I', service.name, service.owner);
  end loop;
end
$$;

grant usage on schema extensions, auth, storage, realtime, graphql_public
  to anon, authenticated, service_role, dashboard_user;
grant usage on schema public to anon, authenticated, service_role;
grant all on all tables in schema public to service_role;
grant all on all sequences in schema public to service_role;
alter default privileges in schema public grant all on tables to service_role;
alter default privileges in schema public grant all on sequences to service_role;

grant usage on schema public, extensions, auth, storage, realtime to plinth_read_only;
grant select on all tables in schema public to plinth_read_only;
