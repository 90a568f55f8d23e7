-- Where logs of projects, and audit logs of organizations, are sent.

create table platform.log_drains (
  id bigint generated always as identity primary key,
  token uuid not null unique,
  -- Whose: one of the two.
  project_id bigint references platform.projects on delete cascade,
  organization_id bigint references platform.organizations on delete cascade,
  name text not null,
  description text not null,
  type text not null,
  -- Without secrets.
  config jsonb not null,
  -- Of all secrets as JSON, by the token; null: there are none.
  sealed_secrets text,
  enabled boolean not null,
  -- Grows with each change.
  revision integer not null default 1,
  -- From which on entries are sent.
  since timestamptz not null,
  -- When people were told of the last failure, and of what was lost.
  failure_told_at timestamptz,
  loss_told_at timestamptz,
  inserted_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((project_id is null) <> (organization_id is null))
);
create index log_drains_project on platform.log_drains (project_id);
create index log_drains_organization on platform.log_drains (organization_id);

-- What processes have said of drains: absolute for one start of a process and one month.
create table platform.log_drain_reports (
  drain_id bigint not null references platform.log_drains on delete cascade,
  start_id uuid not null,
  -- Such as 2026-11.
  month text not null,
  delivered_until timestamptz,
  last_success_at timestamptz,
  failing_since timestamptz,
  last_error text,
  next_attempt_at timestamptz,
  events bigint not null,
  bytes bigint not null,
  lost bigint not null,
  -- Of the lost ones, how many people were told of.
  lost_told bigint not null default 0,
  reported_at timestamptz not null,
  primary key (drain_id, start_id, month)
);

-- Rows of removed projects stay; secrets of their drains must not, whichever way a project goes.
create function platform.forget_log_drains() returns trigger language plpgsql as $$
begin
  delete from platform.log_drains where project_id = new.id;
  return null;
end $$;
create trigger projects_forget_log_drains after update of status on platform.projects
  for each row when (new.status = 'REMOVED') execute function platform.forget_log_drains();

-- A project can have several drains, each of which is paid for; those of an organization belong to no project.
alter table platform.add_on_usage
  alter column project_ref drop not null,
  -- Which of several it is; null: a project has one at most.
  add column item text;
drop index platform.add_on_usage_open;
create unique index add_on_usage_open on platform.add_on_usage (project_ref, variant)
  where ended_at is null and item is null;
create unique index add_on_usage_open_items on platform.add_on_usage (variant, item)
  where ended_at is null and item is not null;
