-- What a database that was there before Plinth needs so that the services can work on it. Runs at every start, as the
-- superuser that DATABASE_URL names, and only adds: nothing that exists is taken away, no table is opened to anybody.

do $$
declare
  wanted record;
begin
  for wanted in
    select * from (values
      ('anon', 'nologin noinherit'),
      ('authenticated', 'nologin noinherit'),
      ('service_role', 'nologin noinherit bypassrls'),
      ('dashboard_user', 'nologin noinherit'),
      ('authenticator', 'login noinherit'),
      ('authenticator_anon', 'login noinherit'),
      ('authenticator_authenticated', 'login noinherit'),
      ('authenticator_service_role', 'login noinherit'),
      ('supabase_auth_admin', 'login noinherit'),
      ('supabase_storage_admin', 'login noinherit'),
      ('plinth_storage', 'login noinherit'),
      ('supabase_realtime_admin', 'login noinherit'),
      ('plinth_read_only', 'login bypassrls'),
      ('plinth_sql', 'login noinherit')
    ) as roles (name, attributes)
  loop
    if not exists (select from pg_roles where rolname = wanted.name) then
      execute format('create role %I %s', wanted.name, wanted.attributes);
    end if;
  end loop;
end
$$;

-- One login per request role: each can only ever be that one role.
grant anon, authenticated, service_role to authenticator;
grant anon to authenticator_anon;
grant authenticated to authenticator_authenticated;
grant service_role to authenticator_service_role;
grant anon, authenticated, service_role to supabase_storage_admin;
grant supabase_storage_admin to plinth_storage;
alter role plinth_storage set role = 'supabase_storage_admin';
alter role plinth_storage set search_path = 'storage';
alter role authenticator_anon set role = 'anon';
alter role authenticator_anon set statement_timeout = '3s';
alter role authenticator_authenticated set role = 'authenticated';
alter role authenticator_authenticated set statement_timeout = '8s';
alter role authenticator_service_role set role = 'service_role';
alter role supabase_auth_admin set search_path = 'auth';
alter role supabase_storage_admin set search_path = 'storage';
alter role plinth_read_only set default_transaction_read_only = on;

-- The dashboard works as the user of DATABASE_URL.
do $$
begin
  execute format('grant %I to plinth_sql', current_user);
  execute format('alter role plinth_sql set role = %L', current_user);
end
$$;
