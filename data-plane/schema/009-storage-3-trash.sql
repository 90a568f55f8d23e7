-- Deleted objects wait here until they are restored or their days are over; their bytes stay under their version as long.
-- No role of the data API sees or changes anything of it: the storage service comes in as the owner.

set role supabase_storage_admin;

create table if not exists storage.trash (
  -- Not that of the object: a row that was written by hand can come with any id, and come again.
  id uuid primary key default gen_random_uuid(),
  object_id uuid not null,
  bucket_id text not null,
  name text not null,
  owner uuid,
  owner_id text,
  metadata jsonb,
  user_metadata jsonb,
  version text not null,
  created_at timestamptz,
  updated_at timestamptz,
  last_accessed_at timestamptz,
  -- -infinity: nobody can have it back, whatever days are left.
  deleted_at timestamptz not null default now(),
  -- Who: the subject or the mail address of a token, otherwise the role.
  deleted_by text
);
create index if not exists trash_deleted_at on storage.trash (deleted_at, id);
create index if not exists trash_bucket on storage.trash (bucket_id, deleted_at, id);
create index if not exists trash_version on storage.trash (version);
alter table storage.trash enable row level security;
revoke all on storage.trash from public, anon, authenticated, service_role, dashboard_user, plinth_read_only;

create or replace function storage.who_deletes() returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  claims jsonb;
begin
  begin
    claims := nullif(pg_catalog.current_setting('request.jwt.claims', true), '')::jsonb;
  exception when others then
    -- Claims that were set by hand and are none must not keep anything from being deleted.
    claims := null;
  end;
  return left(coalesce(claims ->> 'sub', claims ->> 'email',
    nullif(pg_catalog.current_setting('role', true), 'none'), session_user), 320);
end
$$;

-- By a trigger, so that no way of deleting goes past it. One statement for all rows: many cost no more than each.
create or replace function storage.keep_deleted() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  who text := storage.who_deletes();
begin
  insert into storage.trash (object_id, bucket_id, name, owner, owner_id, metadata, user_metadata, version,
    created_at, updated_at, last_accessed_at, deleted_by)
  select gone.id, gone.bucket_id, gone.name, gone.owner, gone.owner_id, gone.metadata, gone.user_metadata, gone.version,
    gone.created_at, gone.updated_at, gone.last_accessed_at, who
  from gone where gone.version is not null and gone.bucket_id is not null and gone.name is not null;
  return null;
end
$$;
create or replace trigger keep_deleted_objects after delete on storage.objects
  referencing old table as gone for each statement execute function storage.keep_deleted();

-- The same of all objects, which nobody else reaches any more by then. Where policies were made to hold for the owner of the
-- table as well, it would see none of them: then it is refused.
create or replace function storage.keep_truncated() returns trigger
language plpgsql security definer set search_path = '' set row_security = off as $$
begin
  insert into storage.trash (object_id, bucket_id, name, owner, owner_id, metadata, user_metadata, version,
    created_at, updated_at, last_accessed_at, deleted_by)
  select gone.id, gone.bucket_id, gone.name, gone.owner, gone.owner_id, gone.metadata, gone.user_metadata, gone.version,
    gone.created_at, gone.updated_at, gone.last_accessed_at, who.deletes
  from storage.objects gone, (select storage.who_deletes() as deletes) who
  where gone.version is not null and gone.bucket_id is not null and gone.name is not null;
  return null;
end
$$;
create or replace trigger keep_truncated_objects before truncate on storage.objects
  for each statement execute function storage.keep_truncated();

-- What was in a bucket goes with it: one of the same name that is made later is another bucket.
create or replace function storage.give_up_trash() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update storage.trash set deleted_at = '-infinity' from gone where trash.bucket_id = gone.id;
  return null;
end
$$;
create or replace trigger give_up_trash after delete on storage.buckets
  referencing old table as gone for each statement execute function storage.give_up_trash();

-- After the objects, which are truncated with it and have come here by then.
create or replace function storage.give_up_all_trash() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update storage.trash set deleted_at = '-infinity' where deleted_at > '-infinity';
  return null;
end
$$;
create or replace trigger give_up_all_trash after truncate on storage.buckets
  for each statement execute function storage.give_up_all_trash();

-- Functions can be called by everybody unless told, and these act as the owner.
revoke all on function storage.who_deletes(), storage.keep_deleted(), storage.keep_truncated(),
  storage.give_up_trash(), storage.give_up_all_trash() from public;

reset role;
