-- The storage services of projects: the keys of their S3 protocol, and how they work.

create table platform.storage_keys (
  id uuid primary key default gen_random_uuid(),
  project_id bigint not null references platform.projects (id) on delete cascade,
  description text not null,
  access_key text not null unique,
  -- Signatures are made with the secret itself, so no digest would do.
  sealed_secret text not null,
  created_by uuid,
  created_at timestamptz not null default now()
);
create index storage_keys_project on platform.storage_keys (project_id);

-- Null: what every project begins with (contract/storage/storage-settings.ts).
create table platform.storage_configs (
  project_id bigint primary key references platform.projects (id) on delete cascade,
  file_size_limit bigint check (file_size_limit > 0),
  image_transformation boolean,
  s3_protocol boolean,
  updated_at timestamptz not null default now()
);

-- Rows of removed projects stay; their keys must not, whichever way a project goes.
create function platform.forget_storage() returns trigger language plpgsql as $$
begin
  delete from platform.storage_keys where project_id = new.id;
  delete from platform.storage_configs where project_id = new.id;
  return null;
end $$;
create trigger projects_forget_storage after update of status on platform.projects
  for each row when (new.status = 'REMOVED') execute function platform.forget_storage();

-- A plan says what the services of a project do, so the data planes hear of another one.
create function platform.tell_of_plan() returns trigger language plpgsql as $$
begin
  perform pg_notify('plinth_projects', ref) from platform.projects
  where organization_id = new.id and status <> 'REMOVED';
  return null;
end $$;
create trigger organizations_tell_of_plan after update of tier on platform.organizations
  for each row when (new.tier is distinct from old.tier) execute function platform.tell_of_plan();
-- A project that moves to another organization may come to another plan.
create function platform.tell_of_move() returns trigger language plpgsql as $$
begin
  perform pg_notify('plinth_projects', new.ref);
  return null;
end $$;
create trigger projects_tell_of_move after update of organization_id on platform.projects
  for each row when (new.organization_id is distinct from old.organization_id)
  execute function platform.tell_of_move();
