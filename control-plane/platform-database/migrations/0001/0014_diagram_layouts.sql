-- Where the tables of a schema's diagram stand: for each person, and one for everybody.

create table platform.diagram_layouts (
  id bigint generated always as identity primary key,
  project_id bigint not null references platform.projects (id) on delete cascade,
  schema_name text not null,
  -- Null: the one that is shared.
  owner_id uuid references platform.profiles (user_id) on delete cascade,
  positions jsonb not null,
  updated_by uuid references platform.profiles (user_id) on delete set null,
  updated_at timestamptz not null default now(),
  constraint diagram_layouts_one unique nulls not distinct (project_id, owner_id, schema_name)
);
create index diagram_layouts_owner on platform.diagram_layouts (owner_id);
create index diagram_layouts_updated_by on platform.diagram_layouts (updated_by);
