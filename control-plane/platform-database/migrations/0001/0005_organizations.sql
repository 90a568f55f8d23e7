-- What organizations decide for themselves, apps that act for people by OAuth, and what the audit log is read by.

alter table platform.organizations
  -- What the assistant may see; the tags of contract/organizations/ai-opt-in.ts.
  add column opt_in_tags text[] not null default '{}',
  add column requires_mfa boolean not null default false;

-- An app that an organization has published. Its secret is shown once and kept as a hash.
create table platform.oauth_apps (
  id uuid primary key default gen_random_uuid(),
  organization_id bigint not null references platform.organizations (id) on delete cascade,
  client_id uuid not null unique default gen_random_uuid(),
  -- Null: a public client, which can not keep a secret and has to prove itself by PKCE.
  client_secret_hash text,
  client_secret_alias text,
  name text not null,
  website text not null,
  icon text,
  redirect_uris text[] not null,
  scopes text[] not null,
  created_by uuid references platform.profiles (user_id) on delete set null,
  created_at timestamptz not null default now()
);
create index oauth_apps_organization on platform.oauth_apps (organization_id, created_at desc);
create index oauth_apps_creator on platform.oauth_apps (created_by);

-- A request of an app that waits for a person's answer on the consent page.
create table platform.oauth_requests (
  id uuid primary key default gen_random_uuid(),
  app_id uuid not null references platform.oauth_apps (id) on delete cascade,
  redirect_uri text not null,
  state text,
  scopes text[] not null,
  code_challenge text,
  -- Who opened it last; nobody else can answer.
  user_id uuid,
  answered_at timestamptz,
  expires_at timestamptz not null
);
create index oauth_requests_expiry on platform.oauth_requests (expires_at);
create index oauth_requests_app on platform.oauth_requests (app_id);

-- What a person has let an app do in an organization.
create table platform.oauth_grants (
  id uuid primary key default gen_random_uuid(),
  app_id uuid not null references platform.oauth_apps (id) on delete cascade,
  organization_id bigint not null,
  user_id uuid not null,
  scopes text[] not null,
  authorized_at timestamptz not null default now(),
  unique (app_id, organization_id, user_id),
  -- Who leaves an organization takes along what apps may do there in their place, with every code and token.
  foreign key (organization_id, user_id) references platform.members (organization_id, user_id) on delete cascade
);
create index oauth_grants_member on platform.oauth_grants (organization_id, user_id);
create index oauth_grants_user on platform.oauth_grants (user_id);

-- A code that the app exchanges for its first tokens: once, within ten minutes.
create table platform.oauth_codes (
  hash text primary key,
  grant_id uuid not null references platform.oauth_grants (id) on delete cascade,
  redirect_uri text not null,
  code_challenge text,
  scopes text[] not null,
  -- The tokens that come from it: all of them end when it comes back.
  family uuid not null default gen_random_uuid(),
  used_at timestamptz,
  expires_at timestamptz not null
);
create index oauth_codes_expiry on platform.oauth_codes (expires_at);
create index oauth_codes_grant on platform.oauth_codes (grant_id);

create table platform.oauth_tokens (
  id uuid primary key default gen_random_uuid(),
  hash text not null unique,
  kind text not null check (kind in ('access', 'refresh')),
  grant_id uuid not null references platform.oauth_grants (id) on delete cascade,
  family uuid not null,
  scopes text[] not null,
  -- Of a refresh token: when it was exchanged for the next one. Coming back after that ends the family.
  used_at timestamptz,
  expires_at timestamptz not null
);
create index oauth_tokens_family on platform.oauth_tokens (family);
create index oauth_tokens_grant on platform.oauth_tokens (grant_id);
create index oauth_tokens_expiry on platform.oauth_tokens (expires_at);

-- The audit log is read by person, by thing and by action within an organization, newest first.
create index audit_organization_actor on platform.audit_entries (organization_id, actor_id, id desc);
create index audit_target on platform.audit_entries (organization_id, target, id desc);
create index audit_time on platform.audit_entries (organization_id, occurred_at);
