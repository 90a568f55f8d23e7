-- What people do not want the advisors to show any more, and how the figures of statements went on.

create table platform.advisor_exceptions (
  id uuid primary key default gen_random_uuid(),
  project_id bigint not null references platform.projects (id) on delete cascade,
  lint_name text not null,
  -- Null: the whole rule.
  cache_key text,
  -- For this person only; null: for everybody in the project.
  user_id uuid references platform.profiles (user_id) on delete cascade,
  note text not null,
  created_by uuid not null references platform.profiles (user_id) on delete cascade,
  inserted_at timestamptz not null default now(),
  unique nulls not distinct (project_id, lint_name, cache_key, user_id)
);

-- Counters of the busiest statements at one moment: {"queryid": [calls, milliseconds, rows]}.
create table platform.query_samples (
  project_id bigint not null references platform.projects (id) on delete cascade,
  taken_at timestamptz not null default now(),
  figures jsonb not null,
  primary key (project_id, taken_at)
);
create index query_samples_age on platform.query_samples (taken_at);
