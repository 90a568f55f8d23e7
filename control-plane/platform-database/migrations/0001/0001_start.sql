-- The platform's own tables. Forward only: a change is a new file.

create schema if not exists platform;

create table platform.profiles (
  id bigint generated always as identity primary key,
  -- The user of the auth service of tenant `platform`. No foreign key: profiles outlive a removed login for the audit log.
  user_id uuid not null unique,
  auth0_id text not null,
  username text not null,
  primary_email text not null,
  first_name text,
  last_name text,
  inserted_at timestamptz not null default now()
);

create table platform.organizations (
  id bigint generated always as identity primary key,
  slug text not null unique,
  name text not null,
  kind text not null,
  size text,
  tier text not null,
  billing_email text,
  inserted_at timestamptz not null default now()
);

create table platform.members (
  organization_id bigint not null references platform.organizations (id) on delete cascade,
  user_id uuid not null references platform.profiles (user_id),
  role text not null check (role in ('Owner', 'Administrator', 'Developer', 'Read-only')),
  inserted_at timestamptz not null default now(),
  primary key (organization_id, user_id)
);
create index members_user on platform.members (user_id);

create table platform.projects (
  id bigint generated always as identity primary key,
  ref text not null unique check (ref ~ '^[a-z]{20}$'),
  organization_id bigint not null references platform.organizations (id),
  name text not null,
  status text not null,
  -- When `status` was entered; the reconciler measures deadlines from here.
  status_since timestamptz not null default now(),
  -- The job that moves the project now; null at rest.
  job_id uuid,
  failure text,
  region text not null,
  cloud_provider text not null,
  compute_size text not null,
  db_version text not null,
  -- Where the database listens, as its provider said last.
  db_address jsonb,
  -- Passwords and keys, sealed with the master key for this ref; emptied when the project is removed.
  sealed_secrets text not null,
  key_version integer not null default 1,
  inserted_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index projects_organization on platform.projects (organization_id, inserted_at desc) where status <> 'REMOVED';
create unique index projects_name on platform.projects (organization_id, lower(name)) where status not in ('REMOVED', 'GOING_DOWN');

create table platform.jobs (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  -- What the job is about: a project's ref, an organization's slug.
  subject text not null,
  accepted_at timestamptz not null default now(),
  finished_at timestamptz,
  failure text
);
create index jobs_unfinished on platform.jobs (accepted_at) where finished_at is null;
create index jobs_subject on platform.jobs (subject, accepted_at desc);

-- Append-only. Each organization's entries form a chain of hashes, so that a removed or changed entry shows.
create table platform.audit_entries (
  id bigint generated always as identity primary key,
  organization_id bigint,
  actor_id uuid,
  actor_email text,
  action text not null,
  target text not null,
  change jsonb not null,
  ip text,
  user_agent text,
  request_id text,
  occurred_at timestamptz not null default now(),
  previous_hash text not null,
  hash text not null
);
create index audit_organization on platform.audit_entries (organization_id, id desc);

create function platform.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit entries can only be added';
end $$;
create trigger audit_append_only before update or delete or truncate on platform.audit_entries
  for each statement execute function platform.refuse_change();

create table platform.snippets (
  id uuid primary key,
  project_id bigint not null references platform.projects (id) on delete cascade,
  owner_id uuid not null references platform.profiles (user_id),
  name text not null,
  description text,
  type text not null check (type in ('sql')),
  visibility text not null check (visibility in ('user', 'project')),
  content jsonb not null,
  revision integer not null default 1,
  inserted_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index snippets_project on platform.snippets (project_id, lower(name), id);

create table platform.snippet_favorites (
  snippet_id uuid not null references platform.snippets (id) on delete cascade,
  user_id uuid not null references platform.profiles (user_id),
  primary key (snippet_id, user_id)
);

-- Mails that were not sent because no mail server is set; read at /mailbox while the server listens on loopback alone.
create table platform.mails (
  id bigint generated always as identity primary key,
  tenant text not null,
  recipient text not null,
  subject text not null,
  body_text text not null,
  body_html text not null,
  sent_at timestamptz not null default now()
);
create index mails_recipient on platform.mails (recipient, id desc);
