-- Issuers outside of a project whose tokens it takes. A row is never changed: who wants another one adds it.

create table platform.third_party_auths (
  id uuid primary key default gen_random_uuid(),
  project_id bigint not null references platform.projects (id) on delete cascade,
  type text not null,
  oidc_issuer_url text,
  jwks_url text,
  -- Public keys that people have given themselves.
  custom_jwks jsonb,
  -- The keys as they were found when it was added.
  resolved_jwks jsonb not null,
  resolved_at timestamptz not null default now(),
  inserted_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (oidc_issuer_url is not null or jwks_url is not null or custom_jwks is not null)
);
create index third_party_auths_project on platform.third_party_auths (project_id);

create function platform.forget_third_parties() returns trigger language plpgsql as $$
begin
  delete from platform.third_party_auths where project_id = new.id;
  return null;
end $$;
create trigger projects_forget_third_parties after update of status on platform.projects
  for each row when (new.status = 'REMOVED') execute function platform.forget_third_parties();
