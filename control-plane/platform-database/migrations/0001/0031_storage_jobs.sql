-- What takes long in a project's storage: folders that are moved, copied or removed, and buckets that are emptied. How far
-- each has come stands here, so that it goes on there after a crash.

create table platform.storage_jobs (
  id uuid primary key default gen_random_uuid(),
  project_id bigint not null references platform.projects (id) on delete cascade,
  kind text not null check (kind in ('move', 'copy', 'remove')),
  bucket text not null,
  to_bucket text,
  -- [{"from": "a/", "to": "b/"}]: keys, or with a slash at the end all below them; an empty one is the whole bucket.
  items jsonb not null,
  -- The item that is worked on, and the last key of it that is done.
  item integer not null default 0,
  after text not null default '',
  -- Objects that are done, and those that could not be, such as where one of the name is already.
  done bigint not null default 0,
  failed bigint not null default 0,
  status text not null default 'RUNNING' check (status in ('RUNNING', 'DONE', 'FAILED', 'CANCELLED')),
  failure text,
  started_by text not null,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index storage_jobs_project on platform.storage_jobs (project_id, created_at desc);
