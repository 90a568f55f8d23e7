-- Slots that are not logical keep the write-ahead log for read replicas, and belong to the platform as those of realtime do. Who may
-- push one forward takes from its replica what it has not read yet. All of this can run again.

create or replace function extensions.advance_replication_slot(slot_name name, upto_lsn pg_lsn) returns pg_lsn
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
  return (select s.end_lsn from pg_replication_slot_advance(slot_name, upto_lsn) s);
end
$$;
