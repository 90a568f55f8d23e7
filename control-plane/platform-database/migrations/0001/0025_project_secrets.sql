-- Secrets of projects for what they run: names, sealed values, and digests by which programs see whether one changed.

create table platform.project_secrets (
  project_id bigint not null references platform.projects (id) on delete cascade,
  name text not null,
  sealed_value text not null,
  -- SHA-256 of the value under a key of the project, in hex: nobody can find a weak value by trying.
  digest text not null,
  updated_at timestamptz not null default now(),
  primary key (project_id, name)
);

-- Rows of removed projects stay; their secrets must not, whichever way a project goes.
create function platform.forget_project_secrets() returns trigger language plpgsql as $$
begin
  delete from platform.project_secrets where project_id = new.id;
  return null;
end $$;
create trigger projects_forget_secrets after update of status on platform.projects
  for each row when (new.status = 'REMOVED') execute function platform.forget_project_secrets();
