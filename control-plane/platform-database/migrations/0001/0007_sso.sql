-- Single sign-on: which provider of the auth service belongs to which organization, and which domains it has shown to own.

create table platform.organization_sso (
  organization_id bigint primary key references platform.organizations (id) on delete cascade,
  -- Of the auth service, which has the rest.
  provider_id uuid not null unique,
  join_role text not null check (join_role in ('Administrator', 'Developer', 'Read-only')),
  inserted_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table platform.sso_domains (
  organization_id bigint not null references platform.organizations (id) on delete cascade,
  -- Lower case.
  domain text not null,
  -- What the DNS record has to hold; another one for each organization that names the domain.
  token text not null,
  verified_at timestamptz,
  primary key (organization_id, domain)
);
-- Many may name a domain, one can own it.
create unique index sso_domains_owner on platform.sso_domains (domain) where verified_at is not null;
