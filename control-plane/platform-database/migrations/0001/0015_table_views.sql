-- What the table editor remembers about a project's tables.

create table platform.table_views (
  id uuid primary key,
  project_id bigint not null references platform.projects (id) on delete cascade,
  owner_id uuid not null,
  schema_name text not null,
  table_name text not null,
  name text not null,
  visibility text not null check (visibility in ('user', 'project')),
  definition jsonb not null,
  updated_at timestamptz not null default now()
);
create index table_views_table on platform.table_views (project_id, schema_name, table_name);

create table platform.table_layouts (
  project_id bigint not null references platform.projects (id) on delete cascade,
  user_id uuid not null,
  schema_name text not null,
  table_name text not null,
  layout jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (project_id, user_id, schema_name, table_name)
);

-- The customers' own rows, kept for half an hour so that a save can be taken back; sealed like every secret.
create table platform.row_undos (
  id uuid primary key,
  project_id bigint not null references platform.projects (id) on delete cascade,
  user_id uuid not null,
  schema_name text not null,
  table_name text not null,
  sealed_changes text not null,
  count integer not null,
  applied_at timestamptz not null default now()
);
create index row_undos_person on platform.row_undos (project_id, user_id, schema_name, table_name, applied_at);
create index row_undos_time on platform.row_undos (applied_at);
