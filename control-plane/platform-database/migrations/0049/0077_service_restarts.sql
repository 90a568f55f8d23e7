-- When services of a project were last restarted by somebody: data planes that find another time than before start them anew.
alter table platform.projects add column service_restarts jsonb not null default '{}';
