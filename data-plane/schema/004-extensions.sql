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
