-- What the access tokens of a project's users are signed by. The first key of every project is the secret that it was
-- made with, which stands in the project's own sealed secrets.

create table platform.signing_keys (
  id uuid primary key default gen_random_uuid(),
  project_id bigint not null references platform.projects (id) on delete cascade,
  algorithm text not null check (algorithm in ('HS256', 'RS256', 'ES256', 'EdDSA')),
  status text not null check (status in ('in_use', 'standby', 'previously_used', 'revoked')),
  is_legacy boolean not null default false,
  -- What tokens name it by; null for the legacy key, whose name follows from the secret.
  kid text,
  -- Null for a shared secret.
  public_jwk jsonb,
  -- The private key or the secret as a JWK, sealed for this row; null for the legacy key.
  sealed_jwk text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (is_legacy = (sealed_jwk is null) and is_legacy = (kid is null)),
  unique (project_id, kid)
);
create unique index signing_keys_one_in_use on platform.signing_keys (project_id) where status = 'in_use';
create unique index signing_keys_one_standby on platform.signing_keys (project_id) where status = 'standby';
create unique index signing_keys_one_legacy on platform.signing_keys (project_id) where is_legacy;

create function platform.add_legacy_signing_key() returns trigger language plpgsql as $$
begin
  insert into platform.signing_keys (project_id, algorithm, status, is_legacy)
  values (new.id, 'HS256', 'in_use', true);
  return null;
end $$;
create trigger projects_add_legacy_signing_key after insert on platform.projects
  for each row execute function platform.add_legacy_signing_key();
insert into platform.signing_keys (project_id, algorithm, status, is_legacy)
  select id, 'HS256', 'in_use', true from platform.projects where status <> 'REMOVED';

-- Keys of clients. The two legacy ones are tokens and stand in the project's own sealed secrets.
create table platform.api_keys (
  id uuid primary key default gen_random_uuid(),
  project_id bigint not null references platform.projects (id) on delete cascade,
  type text not null check (type in ('publishable', 'secret')),
  name text not null,
  description text,
  -- SHA-256 of the key, in hex: what a request is compared with.
  sha256 text not null unique,
  -- The key itself, sealed for this row.
  sealed_key text not null,
  -- Its beginning, by which people recognize it.
  prefix text not null,
  last_used_at timestamptz,
  inserted_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (project_id, type, name)
);

-- Since when the two legacy keys of a project open nothing.
alter table platform.projects add column legacy_keys_disabled_at timestamptz;

-- Rows of removed projects stay; their keys must not, whichever way a project goes.
create function platform.forget_keys() returns trigger language plpgsql as $$
begin
  delete from platform.signing_keys where project_id = new.id;
  delete from platform.api_keys where project_id = new.id;
  return null;
end $$;
create trigger projects_forget_keys after update of status on platform.projects
  for each row when (new.status = 'REMOVED') execute function platform.forget_keys();
