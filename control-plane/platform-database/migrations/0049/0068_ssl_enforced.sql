-- Whether the database of a project takes encrypted connections only, at its own port and at the shared ones.
alter table platform.projects add column ssl_enforced boolean not null default false;
