-- Projects in whose database there are jobs that the data plane runs by a schedule.
create table platform.cron_projects (
  project_id bigint primary key references platform.projects (id) on delete cascade,
  found_at timestamptz not null default now()
);
