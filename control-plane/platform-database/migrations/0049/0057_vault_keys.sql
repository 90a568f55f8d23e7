-- The keys that seal the secrets in the vaults of projects. They lie outside of the databases and their backups.
create table platform.vault_keys (
  id uuid primary key,
  project_id bigint not null references platform.projects (id) on delete cascade,
  sealed_key text not null,
  -- current: seals; retiring: still opens, until all is sealed with the current one; former: opens what a backup may hold.
  state text not null check (state in ('current', 'retiring', 'former')),
  state_since timestamptz not null default clock_timestamp(),
  made_at timestamptz not null default now()
);
create unique index vault_keys_current on platform.vault_keys (project_id) where state = 'current';
create index vault_keys_project on platform.vault_keys (project_id);
