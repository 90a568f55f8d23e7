-- A person's own drawers for their queries in a project.
create table platform.snippet_folders (
  id uuid primary key default gen_random_uuid(),
  project_id bigint not null references platform.projects (id) on delete cascade,
  owner_id uuid not null references platform.profiles (user_id),
  name text not null,
  inserted_at timestamptz not null default now()
);
create unique index snippet_folders_name on platform.snippet_folders (project_id, owner_id, lower(name));

-- Where its owner keeps a query; no change of the query itself.
alter table platform.snippets add column folder_id uuid references platform.snippet_folders (id) on delete set null;
create index snippets_folder on platform.snippets (folder_id) where folder_id is not null;

-- What people ran in the SQL editor, each for themselves.
create table platform.sql_runs (
  id uuid not null,
  project_id bigint not null references platform.projects (id) on delete cascade,
  user_id uuid not null references platform.profiles (user_id),
  snippet_id uuid,
  name text not null,
  sql text not null,
  parameters jsonb not null,
  status text not null check (status in ('running', 'done', 'failed', 'cancelled')),
  ms double precision,
  rows bigint,
  error text,
  started_at timestamptz not null default clock_timestamp(),
  primary key (project_id, user_id, id)
);
create index sql_runs_newest on platform.sql_runs (project_id, user_id, started_at desc);
