-- Whether somebody uses a project beside its services, and who was told that nobody does.
create table platform.project_activity (
  -- Without a reference: who notes a look waits for nobody who holds the project.
  project_ref text primary key,
  -- When somebody last looked at it in the dashboard or through the Management API, to the hour.
  seen_at timestamptz,
  -- When its organization was last told that it will be paused.
  warned_at timestamptz
);
