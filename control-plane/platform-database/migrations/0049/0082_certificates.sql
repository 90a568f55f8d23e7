-- Who this installation is at a certificate authority, by the address of the authority's directory. There is one key for all programs.
create table platform.acme_accounts (
  directory text primary key,
  sealed_key text not null,
  created_at timestamptz not null
);

-- The certificate of a custom hostname, and the order of the next one. It belongs to one project's activation of the name: whoever has
-- the name afterwards begins without any of it.
create table platform.hostname_certificates (
  project_id bigint primary key references platform.custom_hostnames (project_id) on delete cascade,
  hostname text not null,
  -- What is shown to clients now; null until there is one.
  certificate text,
  sealed_key text,
  -- Tells one certificate of the name from the next.
  version text,
  not_before timestamptz,
  not_after timestamptz,
  -- The order that is under way, and what its challenge is answered with.
  attempt text,
  challenge_token text,
  challenge_answer text,
  -- When an order may begin. While one is under way: when it is given up, because whoever began it must be gone.
  next_at timestamptz not null,
  -- How often in a row no certificate was got, and why not the last time.
  failures integer not null default 0,
  failure text
);
create index hostname_certificates_next on platform.hostname_certificates (next_at);

-- Orders of the last days. They outlast the rows above, so that nobody orders more by deleting a name and adding it again.
create table platform.acme_attempts (
  id bigint generated always as identity primary key,
  hostname text not null,
  organization_id bigint not null references platform.organizations (id) on delete cascade,
  began_at timestamptz not null
);
create index acme_attempts_hostname on platform.acme_attempts (hostname, began_at);
create index acme_attempts_organization on platform.acme_attempts (organization_id, began_at);

-- A name that is given up, passes to another project, or is begun with anew loses its certificate, whoever changes the row.
create function platform.forget_certificate() returns trigger language plpgsql as $$
begin
  delete from platform.hostname_certificates where project_id = new.project_id;
  return null;
end $$;
create trigger custom_hostnames_forget_certificate after update on platform.custom_hostnames
  for each row when (new.status <> 'active' or new.hostname <> old.hostname or new.nonce <> old.nonce)
  execute function platform.forget_certificate();
