-- Branches are billed by the hour, on a line of their own. The ledger of compute says of which project a branch is one, and copies for
-- dry runs are not in it.
alter table platform.compute_usage add column branch_of text;
update platform.compute_usage u set branch_of = parent.ref
from platform.projects p join platform.projects parent on parent.id = p.parent_id
where p.ref = u.project_ref;

create or replace function platform.keep_compute_usage() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and platform.compute_is_billed(old.status) = platform.compute_is_billed(new.status)
     and old.compute_size = new.compute_size and old.organization_id = new.organization_id then
    return null;
  end if;
  update platform.compute_usage set ended_at = greatest(started_at, clock_timestamp())
  where project_ref = new.ref and ended_at is null;
  if platform.compute_is_billed(new.status) and not new.is_dry_run then
    insert into platform.compute_usage (organization_id, project_ref, project_name, compute_size, replica, branch_of, started_at)
    select new.organization_id, new.ref, new.name, new.compute_size, of.replica,
      (select parent.ref from platform.projects parent where parent.id = new.parent_id), clock_timestamp()
    from (select null as replica
      union all select r.identifier from platform.read_replicas r
        where r.project_id = new.id and platform.replica_is_billed(r.status)) of;
  end if;
  return null;
end $$;

create or replace function platform.keep_replica_usage() returns trigger language plpgsql as $$
declare
  replica platform.read_replicas := case when tg_op = 'DELETE' then old else new end;
begin
  if tg_op = 'UPDATE' and platform.replica_is_billed(old.status) = platform.replica_is_billed(new.status) then
    return null;
  end if;
  update platform.compute_usage u set ended_at = greatest(u.started_at, clock_timestamp())
  from platform.projects p
  where p.id = replica.project_id and u.project_ref = p.ref and u.replica = replica.identifier and u.ended_at is null;
  if tg_op <> 'DELETE' and platform.replica_is_billed(replica.status) then
    insert into platform.compute_usage (organization_id, project_ref, project_name, compute_size, replica, branch_of, started_at)
    select p.organization_id, p.ref, p.name, p.compute_size, replica.identifier,
      (select parent.ref from platform.projects parent where parent.id = p.parent_id), clock_timestamp()
    from platform.projects p where p.id = replica.project_id and platform.compute_is_billed(p.status);
  end if;
  return null;
end $$;
