-- Edge functions: code that a project runs. A deployment is a version and never changes; which one is active does.

create table platform.functions (
  id uuid primary key default gen_random_uuid(),
  project_id bigint not null references platform.projects (id) on delete cascade,
  slug text not null,
  name text not null,
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'REMOVED', 'THROTTLED')),
  verify_jwt boolean not null default true,
  -- The active version; 0 until one is.
  version integer not null default 0,
  -- The highest number that a version ever had: numbers are not used again.
  last_version integer not null default 0,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
-- Functions in the trash keep their names, and several may have had the same.
create unique index functions_slug on platform.functions (project_id, slug) where status <> 'REMOVED';
create index functions_project on platform.functions (project_id);

create table platform.function_versions (
  id uuid primary key default gen_random_uuid(),
  function_id uuid not null references platform.functions (id) on delete cascade,
  version integer not null,
  entrypoint_path text not null,
  import_map_path text,
  -- Of all files with their names, in hex: the same code has the same.
  sha256 text not null,
  bytes integer not null,
  deployed_by text not null,
  created_at timestamptz not null default now(),
  unique (function_id, version)
);

create table platform.function_files (
  version_id uuid not null references platform.function_versions (id) on delete cascade,
  path text not null,
  content bytea not null,
  primary key (version_id, path)
);

-- Rows of removed projects stay; their code must not, whichever way a project goes.
create function platform.forget_functions() returns trigger language plpgsql as $$
begin
  delete from platform.functions where project_id = new.id;
  return null;
end $$;
create trigger projects_forget_functions after update of status on platform.projects
  for each row when (new.status = 'REMOVED') execute function platform.forget_functions();
