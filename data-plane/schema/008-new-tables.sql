-- New tables of a project whose owner wants them private: alter role authenticator set pgrst.new_tables = 'private'.
-- Nobody reaches them by the data API until a GRANT says so, which default privileges see to (data-plane/schema-new), and
-- then row level security decides about each row, which is switched on here. All of this can run again.

create or replace function extensions.secure_new_tables() returns event_trigger
language plpgsql set search_path = pg_catalog as $$
declare
  own jsonb;
  exposed text[];
  made record;
begin
  -- Of the login of the data API, and of the same in this database, which wins.
  select jsonb_object_agg(split_part(line, '=', 1), substr(line, strpos(line, '=') + 1) order by s.setdatabase)
  into own
  from pg_db_role_setting s cross join unnest(s.setconfig) as line
  where s.setrole = to_regrole('authenticator')
    and s.setdatabase in (0, (select oid from pg_database where datname = current_database()));
  if own ->> 'pgrst.new_tables' is distinct from 'private' then
    return;
  end if;
  exposed := string_to_array(coalesce(own ->> 'pgrst.db_schemas', 'public'), ',');
  for made in
    select distinct c.oid from pg_event_trigger_ddl_commands() d
    join pg_class c on d.classid = 'pg_class'::regclass and c.oid = d.objid
    join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and not c.relrowsecurity and not d.in_extension
      and n.nspname in (select trim(name) from unnest(exposed) as name)
  loop
    execute format('alter table %s enable row level security', made.oid::regclass);
  end loop;
end
$$;

drop event trigger if exists plinth_new_tables;
create event trigger plinth_new_tables on ddl_command_end
  when tag in ('CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO')
  execute function extensions.secure_new_tables();
