-- Who runs the installation, what its programs say of themselves, and what it tells its operators.

create table platform.operators (
  user_id uuid primary key references platform.profiles (user_id),
  added_at timestamptz not null default now()
);

-- The programs of the installation. One that is started again at the same place takes the row of the one before.
create table platform.planes (
  kind text not null check (kind in ('control-plane', 'data-plane')),
  -- Its machine and port.
  place text not null,
  version text not null,
  started_at timestamptz not null,
  heard_at timestamptz not null,
  -- It has ended in good order.
  ended_at timestamptz,
  memory_bytes bigint not null,
  -- What only this program knows: its rounds, the disk of its machine, certificates.
  facts jsonb not null default '{}',
  primary key (kind, place)
);

create table platform.alerts (
  id uuid primary key default gen_random_uuid(),
  condition text not null,
  -- What it is about within the condition: a project's ref, a folder, a job's id.
  subject text not null,
  message text not null,
  opened_at timestamptz not null,
  closed_at timestamptz
);
create unique index alerts_open on platform.alerts (condition, subject) where closed_at is null;
create index alerts_past on platform.alerts (closed_at desc) where closed_at is not null;

-- News of an alert on the way to a webhook. The id is what the receiver knows a message by, however often it is sent.
create table platform.alert_deliveries (
  id uuid primary key default gen_random_uuid(),
  alert_id uuid not null references platform.alerts (id) on delete cascade,
  event text not null check (event in ('opened', 'closed')),
  queued_at timestamptz not null,
  attempts integer not null default 0,
  next_at timestamptz not null,
  failure text,
  told_at timestamptz,
  given_up_at timestamptz,
  unique (alert_id, event)
);
create index alert_deliveries_waiting on platform.alert_deliveries (next_at)
  where told_at is null and given_up_at is null;

-- One row: where news of alerts go, and which conditions nobody wants to hear of.
create table platform.alert_settings (
  only_row boolean primary key default true check (only_row),
  emails text[] not null default '{}',
  webhook_url text,
  sealed_webhook_secret text,
  muted text[] not null default '{}',
  updated_at timestamptz not null default now()
);
insert into platform.alert_settings default values;
