-- Projects whose webhooks are enabled: the platform sends the calls that their databases ask for.

create table platform.webhook_projects (
  project_id bigint primary key references platform.projects (id) on delete cascade,
  enabled_at timestamptz not null default now()
);
