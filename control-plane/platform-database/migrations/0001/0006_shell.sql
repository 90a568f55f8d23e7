-- What the frame of the dashboard needs: consent, telemetry, remote flags, banners.

-- What a person said to each use of their data. No row: they have not answered.
create table platform.consents (
  user_id uuid primary key,
  -- Ids of the services they said yes to.
  granted text[] not null,
  decided_at timestamptz not null default now()
);

-- Sent after consent only, and kept for a bounded time and number.
create table platform.telemetry_events (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('event', 'page', 'page_leave', 'identify', 'groups', 'groups_reset', 'reset', 'flag')),
  -- The random value of a browser's cookie.
  session_id uuid not null,
  -- Set by `identify` alone, from the caller's own token.
  user_id uuid,
  action text,
  pathname text,
  properties jsonb not null default '{}',
  project text,
  organization text,
  context jsonb not null default '{}',
  occurred_at timestamptz not null default now()
);
create index telemetry_events_time on platform.telemetry_events (occurred_at);
create index telemetry_events_person on platform.telemetry_events (user_id) where user_id is not null;

-- Crashes of the dashboard, under the id that the person was shown.
create table platform.error_reports (
  id uuid primary key,
  message text not null,
  stack text not null,
  pathname text not null,
  version text not null,
  -- SHA-256 of the user's id.
  person text not null,
  user_agent text not null,
  reported_at timestamptz not null default now()
);
create index error_reports_time on platform.error_reports (reported_at);

create table platform.flags (
  key text primary key,
  is_on boolean not null default false,
  percentage integer not null default 0 check (percentage between 0 and 100),
  organizations text[] not null default '{}',
  people uuid[] not null default '{}',
  updated_at timestamptz not null default now()
);

-- At most one incident and one notice at a time.
create table platform.banners (
  kind text primary key check (kind in ('incident', 'notice')),
  message text not null default '',
  link text,
  acknowledgement text not null default 'plinth.notice.dashboard-outage-2025-05-16',
  ends_at timestamptz,
  updated_at timestamptz not null default now()
);
