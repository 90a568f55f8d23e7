-- Replication. Who has the attribute REPLICATION can stream a copy of the whole server with the verifiers of all passwords, and
-- have any library loaded as an output plugin. So neither the customer nor a role that the customer is a member of has it:
-- the realtime service comes in by a login of its own, and customers read changes by the functions below. All of this can run again.

do $$
declare
  verifier text;
begin
  if not exists (select from pg_roles where rolname = 'plinth_realtime') then
    create role plinth_realtime login noinherit replication;
    -- All logins of services have one password; in a new project it is set later.
    select rolpassword into verifier from pg_authid where rolname = 'supabase_realtime_admin';
    if verifier is not null then
      execute format('alter role plinth_realtime password %L', verifier);
    end if;
  end if;
  -- Owns the functions below, and is nothing else.
  if not exists (select from pg_roles where rolname = 'plinth_slots') then
    create role plinth_slots nologin noinherit replication;
  end if;
end
$$;
grant supabase_realtime_admin to plinth_realtime;
alter role plinth_realtime set role = 'supabase_realtime_admin';
alter role plinth_realtime set statement_timeout = '10s';
-- A database that was there before Plinth may be of a version without such places.
do $$
begin
  if exists (select from pg_roles where rolname = 'pg_use_reserved_connections') then
    execute 'grant pg_use_reserved_connections to plinth_realtime with inherit true';
  end if;
end
$$;

-- The plugin is a library that the server loads, so only those that are known can be named. A slot that is behind keeps WAL,
-- which `max_slot_wal_keep_size` bounds; how many there are is bounded here, so that realtime always finds a place.
create or replace function extensions.create_replication_slot(
  slot_name name, plugin name default 'pgoutput', temporary boolean default false
) returns pg_lsn language plpgsql security definer set search_path = pg_catalog as $$
declare
  allowed constant name[] := '{pgoutput,test_decoding}';
  most constant int := 6;
  made_at pg_lsn;
begin
  if slot_name is null or plugin is null or temporary is null then
    raise exception 'a replication slot needs a name, an output plugin, and whether it is temporary' using errcode = '22004';
  end if;
  if plugin <> all (allowed) then
    raise exception 'the output plugin "%" is not allowed', plugin
      using errcode = '42501', hint = format('Allowed are %s.', array_to_string(allowed, ', '));
  end if;
  if slot_name like 'realtime\_%' then
    raise exception 'names of replication slots that begin with "realtime_" belong to the platform' using errcode = '42939';
  end if;
  -- One after the other, so that two together do not make one too many.
  perform pg_advisory_xact_lock(hashtextextended('extensions.create_replication_slot', 0));
  if most <= (
    select count(*) from pg_replication_slots s
    where s.database = current_database() and s.slot_name not like 'realtime\_%'
  ) then
    raise exception 'this project has % replication slots already, as many as it may have', most
      using errcode = '53400', hint = 'Drop one that nobody reads: select extensions.drop_replication_slot(''name'').';
  end if;
  -- A block with an exception handler is a subtransaction. To make a slot the server reads what others commit and take back, and
  -- where that changed the schema it forgets which part of a statement its snapshot belongs to ("snapshot reference is not owned
  -- by resource owner"). In a subtransaction there is only one it can belong to.
  begin
    made_at := (select s.lsn from pg_create_logical_replication_slot(slot_name, plugin, temporary) s);
  exception when others then
    raise;
  end;
  return made_at;
end
$$;

create or replace function extensions.drop_replication_slot(slot_name name) returns void
language plpgsql security definer set search_path = pg_catalog as $$
begin
  if not exists (
    select from pg_replication_slots s where s.slot_name = $1 and s.slot_type = 'logical' and s.database = current_database()
  ) then
    raise exception 'replication slot "%" does not exist', slot_name using errcode = '42704';
  end if;
  if slot_name like 'realtime\_%' then
    raise exception 'the replication slot "%" belongs to the platform', slot_name using errcode = '42501';
  end if;
  perform pg_drop_replication_slot(slot_name);
end
$$;

-- As the functions of Postgres of nearly the same names, with the same results.
create or replace function extensions.get_replication_slot_changes(
  slot_name name, upto_lsn pg_lsn default null, upto_nchanges int default null, variadic options text[] default '{}'
) returns table (lsn pg_lsn, xid xid, data text) language sql security definer set search_path = pg_catalog as $$
  select * from pg_logical_slot_get_changes(slot_name, upto_lsn, upto_nchanges, variadic options)
$$;
create or replace function extensions.peek_replication_slot_changes(
  slot_name name, upto_lsn pg_lsn default null, upto_nchanges int default null, variadic options text[] default '{}'
) returns table (lsn pg_lsn, xid xid, data text) language sql security definer set search_path = pg_catalog as $$
  select * from pg_logical_slot_peek_changes(slot_name, upto_lsn, upto_nchanges, variadic options)
$$;
create or replace function extensions.get_replication_slot_binary_changes(
  slot_name name, upto_lsn pg_lsn default null, upto_nchanges int default null, variadic options text[] default '{}'
) returns table (lsn pg_lsn, xid xid, data bytea) language sql security definer set search_path = pg_catalog as $$
  select * from pg_logical_slot_get_binary_changes(slot_name, upto_lsn, upto_nchanges, variadic options)
$$;
create or replace function extensions.peek_replication_slot_binary_changes(
  slot_name name, upto_lsn pg_lsn default null, upto_nchanges int default null, variadic options text[] default '{}'
) returns table (lsn pg_lsn, xid xid, data bytea) language sql security definer set search_path = pg_catalog as $$
  select * from pg_logical_slot_peek_binary_changes(slot_name, upto_lsn, upto_nchanges, variadic options)
$$;
create or replace function extensions.advance_replication_slot(slot_name name, upto_lsn pg_lsn) returns pg_lsn
language sql security definer set search_path = pg_catalog as $$
  select end_lsn from pg_replication_slot_advance(slot_name, upto_lsn)
$$;

do $$
declare
  made regprocedure;
begin
  for made in
    select p.oid from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname = 'extensions' and p.proname in (
      'create_replication_slot', 'drop_replication_slot', 'advance_replication_slot',
      'get_replication_slot_changes', 'peek_replication_slot_changes',
      'get_replication_slot_binary_changes', 'peek_replication_slot_binary_changes'
    )
  loop
    execute format('alter function %s owner to plinth_slots', made);
    execute format('revoke execute on function %s from public', made);
    if exists (select from pg_roles where rolname = 'postgres') then
      execute format('grant execute on function %s to postgres', made);
    end if;
  end loop;
end
$$;
