-- The platform's logins have places of their own in the server (`reserved_connections`): a client that takes all it can get
-- does not keep them out. Whoever inherits from such a login has its places too, so none of them may be a role that the
-- customer is a member of. All of this can run again.

-- The customer is a member of supabase_storage_admin (009-storage-1-tables.sql), so the service comes in by a login of its
-- own and is that role from the start. So does realtime (013-replication.sql).
do $$
declare
  verifier text;
begin
  if not exists (select from pg_roles where rolname = 'plinth_storage') then
    create role plinth_storage login noinherit;
    -- All logins of services have one password; in a new project it is set later.
    select rolpassword into verifier from pg_authid where rolname = 'supabase_storage_admin';
    if verifier is not null then
      execute format('alter role plinth_storage password %L', verifier);
    end if;
  end if;
end
$$;
grant supabase_storage_admin to plinth_storage;
alter role plinth_storage set role = 'supabase_storage_admin';
alter role plinth_storage set search_path = 'storage';

grant pg_use_reserved_connections to authenticator_anon, authenticator_authenticated, authenticator_service_role,
  supabase_auth_admin, plinth_storage, plinth_sql, plinth_read_only
  with inherit true;
