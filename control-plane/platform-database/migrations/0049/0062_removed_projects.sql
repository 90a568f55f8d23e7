-- Rows of removed projects stay; what people and services kept for them does not, whichever way a project goes. What is still
-- to be paid, and the history of organizations and people, is not among it.
create function platform.forget_project() returns trigger language plpgsql as $$
begin
  delete from platform.advisor_exceptions where project_id = new.id;
  delete from platform.cron_projects where project_id = new.id;
  delete from platform.diagram_layouts where project_id = new.id;
  delete from platform.favorites where project_id = new.id;
  delete from platform.net_projects where project_id = new.id;
  delete from platform.mails where tenant = new.ref;
  delete from platform.metric_samples where project_id = new.id;
  delete from platform.password_changes where project_id = new.id;
  delete from platform.project_activity where project_ref = new.ref;
  delete from platform.project_disk where project_id = new.id;
  delete from platform.project_key_uses where project_ref = new.ref;
  delete from platform.query_samples where project_id = new.id;
  delete from platform.realtime_configs where project_id = new.id;
  -- What is to be paid is among other usage.
  delete from platform.rendered_images where project_ref = new.ref;
  delete from platform.storage_use where project_ref = new.ref;
  delete from platform.request_counts where project_ref = new.ref;
  delete from platform.role_looks where project_id = new.id;
  delete from platform.row_undos where project_id = new.id;
  delete from platform.server_starts where project_id = new.id;
  delete from platform.snippets where project_id = new.id;
  delete from platform.snippet_folders where project_id = new.id;
  delete from platform.sql_runs where project_id = new.id;
  delete from platform.storage_jobs where project_id = new.id;
  delete from platform.table_layouts where project_id = new.id;
  delete from platform.table_views where project_id = new.id;
  delete from platform.vault_keys where project_id = new.id;
  delete from platform.webhook_projects where project_id = new.id;
  delete from platform.webhook_secrets where project_id = new.id;
  return null;
end $$;
create trigger projects_forget_project after update of status on platform.projects
  for each row when (new.status = 'REMOVED') execute function platform.forget_project();

-- Those that are gone already, of which the triggers of other tables have removed the rest.
update platform.projects set status = status where status = 'REMOVED';

-- Digests of users and images are kept as long as the hours of other usage.
create index usage_sightings_age on platform.usage_sightings (cycle_start);
