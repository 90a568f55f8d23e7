-- A row is here while a project's database is given another password, before what the platform knows of it is changed. One
-- that nobody works on any more says that the two may differ: the database is then given the password that is known.

create table platform.password_changes (
  project_id bigint primary key references platform.projects on delete cascade,
  begun_at timestamptz not null default now()
);
