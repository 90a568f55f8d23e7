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
