-- From where a project takes its migrations and functions when a git host says that there is something new.
create table platform.git_sources (
  project_id bigint primary key references platform.projects (id) on delete cascade,
  -- The address of an archive of one commit, with {commit} in it.
  archive_url text not null,
  -- What is shown to the git host for the archive; null: nothing.
  sealed_token text,
  -- With it the git host signs what it says.
  sealed_secret text not null,
  -- Of the repository, with migrations and functions in it.
  folder text not null,
  -- It goes to the project itself; others go to the branches that name them.
  production_branch text not null,
  -- For whom it is done: whoever set it up last.
  set_by uuid not null,
  set_by_email text not null,
  set_at timestamptz not null default now()
);

create table platform.git_deployments (
  id uuid primary key default gen_random_uuid(),
  -- The project, of which the target may be a branch.
  project_id bigint not null references platform.projects (id) on delete cascade,
  target_id bigint not null references platform.projects (id) on delete cascade,
  git_branch text not null,
  commit text not null,
  status text not null default 'waiting'
    check (status in ('waiting', 'running', 'done', 'failed', 'superseded')),
  failure text,
  -- What was done, a line each.
  log text[] not null default '{}',
  -- Of what the git host said: what comes twice is one. Null: somebody asked for it here.
  body_digest text,
  job_id uuid,
  at timestamptz not null default now(),
  finished_at timestamptz
);
create index git_deployments_project on platform.git_deployments (project_id, at desc);
create index git_deployments_target on platform.git_deployments (target_id, at desc);
create unique index git_deployments_body on platform.git_deployments (project_id, body_digest);

-- Gone with the project, when that is gone for good; a branch takes along what was deployed to it.
create function platform.forget_git() returns trigger language plpgsql as $$
begin
  delete from platform.git_sources where project_id = new.id;
  delete from platform.git_deployments where project_id = new.id or target_id = new.id;
  return null;
end $$;
create trigger projects_forget_git after update of status, deleted_at on platform.projects
  for each row when (new.status = 'REMOVED' and new.deleted_at is null) execute function platform.forget_git();
