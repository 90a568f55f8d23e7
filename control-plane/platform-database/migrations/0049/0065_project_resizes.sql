-- Orders to change the compute size of a project: what it had, what it is to have, and what became of it. The job that carries one
-- out reads it here, so it knows the same after a crash.
create table platform.project_resizes (
  job_id uuid primary key,
  project_id bigint not null references platform.projects (id) on delete cascade,
  from_size text not null,
  to_size text not null,
  ordered_at timestamptz not null,
  finished_at timestamptz,
  -- 'resized', or 'kept': the server did not come up with the new size and has the old one.
  outcome text,
  failure text,
  -- Milliseconds for which the server answered nobody, where that was measured.
  down_ms integer
);
create index project_resizes_project on platform.project_resizes (project_id, ordered_at desc);

create function platform.forget_resizes() returns trigger language plpgsql as $$
begin
  delete from platform.project_resizes where project_id = new.id;
  return null;
end $$;
create trigger projects_forget_resizes after update of status on platform.projects
  for each row when (new.status = 'REMOVED') execute function platform.forget_resizes();
