-- What each project's server took of the disk when it was last measured, and what follows from it.

create table platform.project_disk (
  project_id bigint primary key references platform.projects on delete cascade,
  measured_at timestamptz not null,
  database_bytes bigint not null,
  other_bytes bigint not null,
  state text not null check (state in ('ok', 'near', 'full')),
  -- Until then a full database can be written to.
  writable_until timestamptz,
  -- The server may have been told to be read only because of this; set before it is told, and taken back after.
  read_only boolean not null default false
);
