-- What the tables of a new project are granted, as its creator chose; later its database says so itself.

alter table platform.projects add column new_tables text not null default 'private'
  check (new_tables in ('private', 'granted'));
