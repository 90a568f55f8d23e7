-- How much the services of projects are asked: by the minute for two hours, by the half hour for a week.

create table platform.request_counts (
  project_ref text not null,
  service text not null,
  -- When the part began, and its seconds.
  began_at timestamptz not null,
  seconds integer not null check (seconds in (60, 1800)),
  requests bigint not null,
  errors bigint not null,
  -- How many answers took how long; contract/projects/project-home.ts has the bounds.
  histogram bigint[] not null,
  primary key (project_ref, service, seconds, began_at)
);
create index request_counts_age on platform.request_counts (seconds, began_at);

-- When a key of a project was first used. Counts go, this stays.
create table platform.project_key_uses (
  project_ref text primary key,
  first_used_at timestamptz not null default now()
);
