-- A branch is a project of its own that belongs to another one, its parent, and is made to become part of it again.
alter table platform.projects add column parent_id bigint references platform.projects (id);
create index projects_parent on platform.projects (parent_id) where parent_id is not null;

create table platform.branches (
  id uuid primary key default gen_random_uuid(),
  project_id bigint not null unique references platform.projects (id),
  parent_id bigint not null references platform.projects (id),
  name text not null,
  git_branch text,
  -- One that stays, such as for staging; the others are for one change.
  persistent boolean not null default false,
  with_data boolean not null default false,
  status text not null default 'CREATING_PROJECT',
  -- Why its last job failed, in words for members.
  failure text,
  -- What is being done to it; null at rest.
  job_id uuid references platform.jobs (id),
  -- The mail address of whoever ordered that.
  ordered_by text not null default '',
  -- What the functions of the parent were when they were last taken over, by slug.
  base_functions jsonb not null default '{}',
  merged_at timestamptz,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (project_id <> parent_id)
);
create unique index branches_name on platform.branches (parent_id, lower(name));

-- What each job did, step by step, for the page of branches.
create table platform.branch_steps (
  id bigint generated always as identity primary key,
  branch_id uuid not null references platform.branches (id) on delete cascade,
  at timestamptz not null default now(),
  failed boolean not null default false,
  message text not null
);
create index branch_steps_branch on platform.branch_steps (branch_id, id);

create function platform.forget_branch() returns trigger language plpgsql as $$
begin
  delete from platform.branches where project_id = new.id or parent_id = new.id;
  return null;
end $$;
create trigger projects_forget_branch after update of status on platform.projects
  for each row when (new.status = 'REMOVED') execute function platform.forget_branch();
