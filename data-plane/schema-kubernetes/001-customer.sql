-- The customer of a project in a Kubernetes cluster. Runs after what a database that was there before is given
-- (schema-existing), as the operator's superuser, who is called `postgres` there: so the customer is called otherwise. They own the
-- database, are not superuser, and have of the services what a customer on a machine has (schema/014-narrow-grants.sql). All of
-- this can run again.

do $$
begin
  if not exists (select from pg_roles where rolname = 'plinth_customer') then
    create role plinth_customer login createdb createrole bypassrls;
  end if;
  execute format('alter database %I owner to plinth_customer', current_database());
  execute format('alter database %I set search_path = "$user", public, extensions', current_database());
end
$$;
-- Not pg_read_all_data: that would show the password verifiers of pg_authid.
grant pg_monitor, pg_signal_backend to plinth_customer;
grant anon, authenticated, service_role, authenticator to plinth_customer with admin option;
grant supabase_storage_admin to plinth_customer with inherit true, set false;
grant supabase_realtime_admin to plinth_customer;
grant set on parameter session_replication_role to plinth_customer;
alter role plinth_customer set createrole_self_grant = 'set, inherit';
alter role plinth_sql set createrole_self_grant = 'set, inherit';

-- The operator's superuser works in this one: nobody else has anything to do there.
revoke connect, temporary on database postgres from public;

-- The dashboard works as the customer, not as the superuser that has run the files before.
do $$
begin
  execute format('revoke %I from plinth_sql', session_user);
end
$$;
grant plinth_customer to plinth_sql;
alter role plinth_sql set role = 'plinth_customer';

-- Who owned a schema could drop what lies in it.
do $$
declare
  service record;
begin
  for service in
    select * from (values ('auth', 'supabase_auth_admin'), ('storage', 'supabase_storage_admin'),
      ('realtime', 'supabase_realtime_admin')) as owners (name, owner)
  loop
    execute format('alter schema %I owner to %I', service.name, session_user);
    execute format('grant usage, create on schema %I to %I with grant option', service.name, service.owner);
  end loop;
end
$$;
grant usage, create on schema extensions to plinth_customer with grant option;
grant usage on schema auth, storage, realtime, graphql_public to plinth_customer;
grant all on all tables in schema auth to plinth_customer;
grant all on all sequences in schema auth to plinth_customer;
grant execute on all functions in schema auth, extensions to plinth_customer;
grant all on storage.buckets, storage.objects, storage.s3_multipart_uploads, storage.s3_multipart_uploads_parts
  to plinth_customer;
grant all on realtime.messages to plinth_customer;
grant select on all tables in schema storage, realtime, extensions to plinth_customer;
alter publication supabase_realtime owner to plinth_customer;

-- What the operator's superuser makes is nothing to read for members.
alter default privileges revoke select on tables from plinth_read_only;
alter default privileges revoke select on sequences from plinth_read_only;

-- Tables that the customer makes: servers of the customer's own reach them, and members may read them.
alter default privileges for role plinth_customer in schema public grant all on tables to service_role;
alter default privileges for role plinth_customer in schema public grant all on sequences to service_role;
alter default privileges for role plinth_customer grant usage on schemas to plinth_read_only;
alter default privileges for role plinth_customer grant select on tables to plinth_read_only;
alter default privileges for role plinth_customer grant select on sequences to plinth_read_only;

-- New tables are private until they are granted, as in every new project.
alter role authenticator set pgrst.new_tables = 'private';
