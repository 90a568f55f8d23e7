-- The certificates of the installation's own names, and the orders of the next ones: columns as in platform.hostname_certificates.
create table platform.installation_certificates (
  hostname text primary key,
  certificate text,
  sealed_key text,
  version text,
  not_before timestamptz,
  not_after timestamptz,
  attempt text,
  challenge_token text,
  challenge_answer text,
  next_at timestamptz not null,
  failures integer not null default 0,
  failure text
);

-- Null: the name is the installation's own, and no organization's.
alter table platform.acme_attempts alter column organization_id drop not null;
