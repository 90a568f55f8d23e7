-- What the customer has beside what is theirs, no wider than it has to be. All of this can run again.

-- Every table of the services, and not everything there is: that would show the password verifiers of pg_authid.
grant usage on schema auth, storage, realtime, graphql_public to postgres;
grant select on all tables in schema auth, storage, realtime, extensions to postgres;
grant select on all sequences in schema auth, storage, realtime to postgres;
revoke pg_read_all_data from postgres;
-- Without it the customer could not read, or dump, what their own roles have made. A setting is of who has signed in, which
-- the dashboard does as plinth_sql.
alter role postgres set createrole_self_grant = 'set, inherit';
alter role plinth_sql set createrole_self_grant = 'set, inherit';

-- In projects of earlier versions the customer could stream all of the server, and let others do so (013-replication.sql).
do $$
declare
  streams name;
begin
  for streams in
    select rolname from pg_roles
    where rolreplication and not rolsuper and rolname not in ('plinth_realtime', 'plinth_slots')
  loop
    execute format('alter role %I noreplication', streams);
  end loop;
end
$$;

-- What lies in them is looked for by everybody, and replaced by later versions: whoever owned one could drop it. Programs that
-- reset a database know by the owner which schemas are not the customer's. The customer goes on installing extensions, and says who
-- else may use them.
alter schema extensions owner to supabase_admin;
grant usage, create on schema extensions to postgres with grant option;
alter schema auth owner to supabase_admin;
grant usage, create on schema auth to supabase_auth_admin with grant option;
alter schema storage owner to supabase_admin;
grant usage, create on schema storage to supabase_storage_admin with grant option;
alter schema realtime owner to supabase_admin;
grant usage, create on schema realtime to supabase_realtime_admin with grant option;
