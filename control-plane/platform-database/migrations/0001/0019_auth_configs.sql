-- How the auth service of a project works; what is not in here has its default.

create table platform.auth_configs (
  project_id bigint primary key references platform.projects (id) on delete cascade,
  -- By key: contract/auth/auth-config-keys.ts.
  settings jsonb not null default '{}',
  -- Those that are secret, each sealed for its project and key.
  sealed_secrets jsonb not null default '{}',
  updated_at timestamptz not null default now()
);

-- Rows of removed projects stay; passwords of mail servers and the like must not, whichever way a project goes.
create function platform.forget_auth_config() returns trigger language plpgsql as $$
begin
  delete from platform.auth_configs where project_id = new.id;
  return null;
end $$;
create trigger projects_forget_auth_config after update of status on platform.projects
  for each row when (new.status = 'REMOVED') execute function platform.forget_auth_config();
