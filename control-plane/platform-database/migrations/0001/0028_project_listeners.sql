-- A port of 127.0.0.1 and ::1 at which a project is served at the root of the address.

alter table platform.projects add column listen_port integer check (listen_port between 1024 and 65535);
-- A removed project needs none any more.
create unique index projects_listen_port on platform.projects (listen_port) where status <> 'REMOVED';
