-- Copies of a project's database that follow it and can be read.
create table platform.read_replicas (
  id uuid primary key default gen_random_uuid(),
  project_id bigint not null references platform.projects (id),
  -- What it is called in the world: five lower-case letters.
  identifier text not null check (identifier ~ '^[a-z]{5}$'),
  -- INIT_READ_REPLICA, INIT_READ_REPLICA_FAILED, ACTIVE_HEALTHY, RESTARTING or GOING_DOWN.
  status text not null default 'INIT_READ_REPLICA',
  -- Why its last job failed, in words for members.
  failure text,
  -- What is being done to it; null at rest.
  job_id uuid references platform.jobs (id),
  -- Where the services find it; null until it was made.
  db_address jsonb,
  -- When it last became whole; null: it never was.
  made_at timestamptz,
  created_by uuid,
  created_at timestamptz not null default now(),
  unique (project_id, identifier)
);

-- A replica costs what the compute of its project costs, from when it can be read until somebody wants it gone.
alter table platform.compute_usage add column replica text;
drop index platform.compute_usage_open;
create unique index compute_usage_open on platform.compute_usage (project_ref, coalesce(replica, '')) where ended_at is null;

create function platform.replica_is_billed(status text) returns boolean language sql immutable as $$
  select status in ('ACTIVE_HEALTHY', 'RESTARTING')
$$;

create or replace function platform.keep_compute_usage() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and platform.compute_is_billed(old.status) = platform.compute_is_billed(new.status)
     and old.compute_size = new.compute_size and old.organization_id = new.organization_id then
    return null;
  end if;
  update platform.compute_usage set ended_at = greatest(started_at, clock_timestamp())
  where project_ref = new.ref and ended_at is null;
  if platform.compute_is_billed(new.status) then
    insert into platform.compute_usage (organization_id, project_ref, project_name, compute_size, replica, started_at)
    select new.organization_id, new.ref, new.name, new.compute_size, of.replica, clock_timestamp()
    from (select null as replica
      union all select r.identifier from platform.read_replicas r
        where r.project_id = new.id and platform.replica_is_billed(r.status)) of;
  end if;
  return null;
end $$;

create function platform.keep_replica_usage() returns trigger language plpgsql as $$
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
    insert into platform.compute_usage (organization_id, project_ref, project_name, compute_size, replica, started_at)
    select p.organization_id, p.ref, p.name, p.compute_size, replica.identifier, clock_timestamp()
    from platform.projects p where p.id = replica.project_id and platform.compute_is_billed(p.status);
  end if;
  return null;
end $$;
create trigger read_replicas_usage after insert or delete or update of status on platform.read_replicas
  for each row execute function platform.keep_replica_usage();

create function platform.forget_read_replicas() returns trigger language plpgsql as $$
begin
  delete from platform.read_replicas where project_id = new.id;
  return null;
end $$;
create trigger projects_forget_read_replicas after update of status on platform.projects
  for each row when (new.status = 'REMOVED') execute function platform.forget_read_replicas();
