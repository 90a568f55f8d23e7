-- Orders to have a project run on another version of PostgreSQL, and the hour of the week in which that happens by itself. The job that
-- carries one out reads it here, so it knows the same after a crash.
create table platform.project_upgrades (
  job_id uuid primary key,
  project_id bigint not null references platform.projects (id) on delete cascade,
  -- Ids of programs, which begin with their version.
  from_programs text not null,
  to_programs text not null,
  ordered_at timestamptz not null,
  finished_at timestamptz,
  -- 'upgraded', or 'kept': the server did not come up with the other version and runs on the one from before.
  outcome text,
  failure text,
  -- Milliseconds for which the server answered nobody, where that was measured.
  down_ms integer
);
create index project_upgrades_project on platform.project_upgrades (project_id, ordered_at desc);

create table platform.maintenance_windows (
  project_id bigint primary key references platform.projects (id) on delete cascade,
  -- 0: Sunday. UTC.
  weekday smallint not null check (weekday between 0 and 6),
  hour smallint not null check (hour between 0 and 23)
);
create index maintenance_windows_hour on platform.maintenance_windows (weekday, hour);

create function platform.forget_upgrades() returns trigger language plpgsql as $$
begin
  delete from platform.project_upgrades where project_id = new.id;
  delete from platform.maintenance_windows where project_id = new.id;
  return null;
end $$;
create trigger projects_forget_upgrades after update of status on platform.projects
  for each row when (new.status = 'REMOVED') execute function platform.forget_upgrades();
