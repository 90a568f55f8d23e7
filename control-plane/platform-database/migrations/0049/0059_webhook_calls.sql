-- Projects in whose database pg_net puts calls into a queue that the data plane sends.
create table platform.net_projects (
  project_id bigint primary key references platform.projects (id) on delete cascade,
  found_at timestamptz not null default now()
);

-- What signs calls of webhooks; a hook names one by its id. The one before signs beside it for a while.
create table platform.webhook_secrets (
  project_id bigint not null references platform.projects (id) on delete cascade,
  id text not null,
  sealed_secret text not null,
  sealed_previous text,
  previous_until timestamptz,
  created_at timestamptz not null default now(),
  primary key (project_id, id)
);
