-- The projects that a person has marked; they come first in that person's lists.

create table platform.favorites (
  user_id uuid not null references platform.profiles (user_id) on delete cascade,
  project_id bigint not null references platform.projects (id) on delete cascade,
  primary key (user_id, project_id)
);
create index favorites_project on platform.favorites (project_id);
