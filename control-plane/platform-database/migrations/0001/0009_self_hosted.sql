-- In self-hosted mode the one project is called `default`.
alter table platform.projects drop constraint projects_ref_check;
alter table platform.projects add constraint projects_ref_check check (ref ~ '^([a-z]{20}|default)$');
