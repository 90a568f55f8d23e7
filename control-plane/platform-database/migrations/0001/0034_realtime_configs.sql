-- How much the realtime service of a project carries, and for whom; what is not in here has its default.

create table platform.realtime_configs (
  project_id bigint primary key references platform.projects (id) on delete cascade,
  -- By key: contract/realtime/realtime-config.ts.
  settings jsonb not null default '{}',
  updated_at timestamptz not null default now()
);

-- The plan bounds these settings, so services hear of another plan however it comes.
create function platform.tell_plan() returns trigger language plpgsql as $$
begin
  perform pg_notify('plinth_projects', ref) from platform.projects
    where organization_id = new.id and status <> 'REMOVED';
  return null;
end $$;
create trigger organizations_tell_plan after update of tier on platform.organizations
  for each row when (old.tier is distinct from new.tier) execute function platform.tell_plan();
