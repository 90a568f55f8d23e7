-- A dry run of a merge: the migrations that it would run on main are run on a copy of main, which is thrown away afterwards.

-- Such a copy is a project with a parent and no branch. Nobody finds it, it is not in any list, and it costs nothing.
alter table platform.projects add column is_dry_run boolean not null default false;

create table platform.dry_runs (
  id uuid primary key default gen_random_uuid(),
  parent_id bigint not null references platform.projects (id),
  branch_id uuid not null references platform.branches (id) on delete cascade,
  -- The project that the copy is.
  copy_ref text not null unique,
  -- What the copy has of main.
  copied text not null check (copied in ('data', 'migrations')),
  -- Of what a merge would carry over, and of the migrations of main.
  digest text not null,
  state text not null default 'running' check (state in ('running', 'passed', 'failed')),
  -- The first migration has begun: what was broken off after that is not begun again in the same copy.
  begun boolean not null default false,
  -- Why it came to no result, in words for members.
  failure text,
  -- What became of each migration.
  migrations jsonb not null default '[]',
  ordered_by uuid not null,
  ordered_by_email text not null,
  started_at timestamptz not null default now(),
  -- When its copy was thrown away; null: not yet.
  finished_at timestamptz
);
-- One at a time for a project, and the last one of a branch is kept.
create unique index dry_runs_running on platform.dry_runs (parent_id) where finished_at is null;
create index dry_runs_branch on platform.dry_runs (branch_id, started_at desc);

create function platform.forget_dry_runs() returns trigger language plpgsql as $$
begin
  delete from platform.dry_runs where parent_id = new.id;
  return null;
end $$;
create trigger projects_forget_dry_runs after update of status, deleted_at on platform.projects
  for each row when (new.status = 'REMOVED' and new.deleted_at is null) execute function platform.forget_dry_runs();
