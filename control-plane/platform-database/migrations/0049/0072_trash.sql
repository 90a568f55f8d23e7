-- Deleted projects wait a while before they are removed for good. One that waits is REMOVED, so that whatever lists, serves, counts or
-- bills projects takes it for gone from the moment of its deletion; what is kept for it, and its server's files, stay until its
-- `deleted_at` is null again.
alter table platform.projects
  -- Since when it waits, or is being taken down in order to wait.
  add column deleted_at timestamptz,
  add column deleted_by uuid,
  add column removed_for_good_at timestamptz,
  -- Add-ons that were enabled when it was deleted, and are again when it comes back.
  add column kept_add_ons text[] not null default '{}',
  add constraint projects_trash check ((deleted_at is null) = (removed_for_good_at is null)
    and (deleted_at is null or status in ('GOING_DOWN', 'REMOVED')));
create index projects_in_trash on platform.projects (organization_id, deleted_at desc) where deleted_at is not null;

-- What is kept for a project is forgotten when it is removed for good. Its replicas are not among that: they go at once.
do $$
declare
  forgets record;
begin
  for forgets in
    select t.tgname as name, t.tgfoid::regproc as run from pg_trigger t
    where t.tgrelid = 'platform.projects'::regclass and t.tgname like 'projects\_forget\_%' and t.tgname <> 'projects_forget_read_replicas'
  loop
    execute format('drop trigger %I on platform.projects', forgets.name);
    execute format('create trigger %I after update of status, deleted_at on platform.projects
      for each row when (new.status = ''REMOVED'' and new.deleted_at is null) execute function %s()', forgets.name, forgets.run);
  end loop;
end $$;

-- Nothing of a project that waits is paid for.
create function platform.end_add_ons() returns trigger language plpgsql as $$
begin
  update platform.add_on_usage set ended_at = greatest(started_at, clock_timestamp())
  where project_ref = new.ref and ended_at is null;
  return null;
end $$;
create trigger projects_end_add_ons after update of status on platform.projects
  for each row when (new.status = 'REMOVED') execute function platform.end_add_ons();

-- A branch that waits leaves its name to others, and nothing is being done to it when it comes back.
alter table platform.branches add column deleted boolean not null default false;
drop index platform.branches_name;
create unique index branches_name on platform.branches (parent_id, lower(name)) where not deleted;
create function platform.keep_branch_name() returns trigger language plpgsql as $$
begin
  update platform.branches set deleted = new.status = 'REMOVED', job_id = null,
    failure = case when job_id is null then failure else 'It was broken off' end
  where project_id = new.id;
  return null;
end $$;
create trigger projects_branch_name after update of status on platform.projects
  for each row when ((new.status = 'REMOVED') <> (old.status = 'REMOVED')) execute function platform.keep_branch_name();
