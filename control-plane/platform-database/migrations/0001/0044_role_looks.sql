-- What the last look at the roles, owners and rights of a project's database has found, for whoever runs the platform.

create table platform.role_looks (
  project_id bigint primary key references platform.projects on delete cascade,
  looked_at timestamptz not null,
  -- A list of {found, repaired, failure}.
  findings jsonb not null,
  -- Why it could not look; null: it could.
  failure text
);
