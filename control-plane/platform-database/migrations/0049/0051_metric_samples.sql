-- What the servers of projects use of their machine: by the minute for some hours, then by ten minutes as long as the plan keeps logs.

create table platform.metric_samples (
  project_id bigint not null references platform.projects on delete cascade,
  -- That it stands for: 60 or 600.
  seconds integer not null check (seconds in (60, 600)),
  began_at timestamptz not null,
  -- Cores, on average and at most by the minute. What could not be measured is null.
  cpu real,
  cpu_max real,
  memory_bytes bigint,
  -- The most by the minute.
  connections integer,
  database_bytes bigint,
  other_bytes bigint,
  primary key (project_id, seconds, began_at)
);
create index metric_samples_age on platform.metric_samples (seconds, began_at);
