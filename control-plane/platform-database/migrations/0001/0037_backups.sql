-- Backups of projects' servers, and what was restored from them. The files are the provider's, by the ids of these rows.

create table platform.backups (
  id bigint generated always as identity primary key,
  project_id bigint not null references platform.projects (id) on delete cascade,
  reason text not null check (reason in ('scheduled', 'manual', 'before_restore')),
  -- REMOVED: nobody can use it any more; the row goes when its file is gone.
  status text not null default 'PENDING' check (status in ('PENDING', 'COMPLETED', 'FAILED', 'REMOVED')),
  taken_at timestamptz,
  size_bytes bigint,
  -- What was read back of it.
  tables integer,
  rows bigint,
  failure text,
  inserted_at timestamptz not null default now(),
  finished_at timestamptz,
  expires_at timestamptz not null,
  check (status <> 'COMPLETED' or (taken_at is not null and size_bytes is not null and tables is not null))
);
create index backups_project on platform.backups (project_id, inserted_at desc);
-- One at a time.
create unique index backups_pending on platform.backups (project_id) where status = 'PENDING';

-- Orders to restore: the project itself, or a new one that gets the data of another.
create table platform.restores (
  id bigint generated always as identity primary key,
  -- Which gets the data, and whose it is; the same for a restore in place.
  project_id bigint not null references platform.projects (id) on delete cascade,
  source_id bigint not null references platform.projects (id) on delete cascade,
  -- A backup, or a moment of the archive. No foreign key: what was restored stays known when the backup is gone.
  backup_id bigint,
  until timestamptz,
  -- The moment whose state it gets.
  restored_to timestamptz not null,
  -- The status that the project had.
  came_from text not null,
  -- The backup of what a restore in place replaces.
  safety_id bigint,
  status text not null default 'IN_PROGRESS' check (status in ('IN_PROGRESS', 'COMPLETED', 'FAILED')),
  inserted_at timestamptz not null default now(),
  finished_at timestamptz,
  check ((backup_id is null) <> (until is null))
);
create unique index restores_in_progress on platform.restores (project_id) where status = 'IN_PROGRESS';
create index restores_source on platform.restores (source_id, inserted_at desc);

alter table platform.projects
  -- The project under whose name the secrets in the database were sealed; null: its own.
  add column sealing_ref text,
  -- Since when its server keeps all WAL without a break; null: it does not, as far as it was told.
  add column keeps_wal_since timestamptz;

-- Rows of removed projects stay; what was kept of their data does not, whichever way a project goes, and nothing of it is
-- paid for any longer.
create function platform.forget_backups() returns trigger language plpgsql as $$
begin
  update platform.add_on_usage set ended_at = greatest(started_at, clock_timestamp())
  where project_ref = new.ref and ended_at is null;
  delete from platform.backups where project_id = new.id;
  return null;
end $$;
create trigger projects_forget_backups after update of status on platform.projects
  for each row when (new.status = 'REMOVED') execute function platform.forget_backups();
