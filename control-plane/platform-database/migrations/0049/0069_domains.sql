-- The custom hostname of a project. Anybody may begin with any name, so only an active one is nobody else's: who is active has shown
-- by a TXT record that the name is theirs.
create table platform.custom_hostnames (
  project_id bigint primary key references platform.projects (id) on delete cascade,
  hostname text not null,
  -- What the token of the TXT record is derived from, beside the project, its organization and the name; new each time.
  nonce text not null,
  status text not null default 'initiated' check (status in ('initiated', 'verified', 'active')),
  -- The last look at the records, as JSON; null before the first one.
  looked jsonb,
  checked_at timestamptz,
  -- Since when an active name lacks a record.
  failing_since timestamptz,
  initiated_at timestamptz not null,
  activated_at timestamptz
);
create unique index custom_hostnames_active on platform.custom_hostnames (hostname) where status = 'active';

-- The name of a project below the domain of the installation.
create table platform.vanity_subdomains (
  project_id bigint primary key references platform.projects (id) on delete cascade,
  name text not null unique,
  activated_at timestamptz not null
);

-- A project that is gone frees its names.
create function platform.forget_domains() returns trigger language plpgsql as $$
begin
  delete from platform.custom_hostnames where project_id = new.id;
  delete from platform.vanity_subdomains where project_id = new.id;
  return null;
end $$;
create trigger projects_forget_domains after update of status on platform.projects
  for each row when (new.status = 'REMOVED') execute function platform.forget_domains();
