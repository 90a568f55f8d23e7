-- A branch begins with the migrations of its parent, with all of its structure, or with its rows too.
alter table platform.branches
  add column starts_with text not null default 'migrations' check (starts_with in ('migrations', 'schema', 'data'));

-- What a project chooses for its branches.
create table platform.branch_settings (
  project_id bigint primary key references platform.projects (id),
  -- Hours without use after which a branch that is not persistent is paused; null: never.
  pause_after_hours integer check (pause_after_hours > 0),
  -- Columns that no branch gets the values of.
  masks jsonb not null default '[]'
);

alter table platform.restores
  -- What is changed in a copy of a running project before anybody reaches it; null: a restore of a backup as it is.
  add column changes jsonb,
  -- A copy is of no backup until one was made for it.
  drop constraint restores_check,
  add constraint restores_check check (backup_id is null or until is null),
  add constraint restores_origin check (changes is not null or backup_id is not null or until is not null);

-- One that is made for a branch goes when the branch has it.
alter table platform.backups drop constraint backups_reason_check,
  add constraint backups_reason_check check (reason in ('scheduled', 'manual', 'before_restore', 'branch'));

create function platform.forget_branch_settings() returns trigger language plpgsql as $$
begin
  delete from platform.branch_settings where project_id = new.id;
  return null;
end $$;
create trigger projects_forget_branch_settings after update of status, deleted_at on platform.projects
  for each row when (new.status = 'REMOVED' and new.deleted_at is null) execute function platform.forget_branch_settings();
