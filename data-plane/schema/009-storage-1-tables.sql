-- What the storage service keeps of buckets and objects; their bytes lie elsewhere (data-plane/storage). Names of tables,
-- columns and functions are those that client libraries, seeds and policies know. All of this can run again.

set role supabase_storage_admin;

do $$
begin
  if to_regtype('storage.buckettype') is null then
    create type storage.buckettype as enum ('STANDARD', 'ANALYTICS', 'VECTOR');
  end if;
end
$$;

create table if not exists storage.migrations (
  id integer primary key,
  name varchar(100) unique not null,
  hash varchar(40) not null,
  executed_at timestamp default current_timestamp
);

create table if not exists storage.buckets (
  id text primary key,
  name text not null,
  owner uuid,
  owner_id text,
  public boolean default false,
  type storage.buckettype not null default 'STANDARD',
  avif_autodetection boolean default false,
  file_size_limit bigint,
  allowed_mime_types text[],
  created_at timestamptz default now(),
  updated_at timestamptz default now()
);
create unique index if not exists bname on storage.buckets (name);
comment on column storage.buckets.owner is 'Kept for older programs; owner_id holds any subject of a token.';

create table if not exists storage.objects (
  id uuid primary key default gen_random_uuid(),
  bucket_id text references storage.buckets (id),
  name text,
  owner uuid,
  owner_id text,
  metadata jsonb,
  user_metadata jsonb,
  path_tokens text[] generated always as (string_to_array(name, '/')) stored,
  version text,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  last_accessed_at timestamptz default now()
);
create unique index if not exists bucketid_objname on storage.objects (bucket_id, name);
-- Byte order, so that all names below a prefix are one range and a list can jump from folder to folder.
create index if not exists idx_objects_bucket_id_name on storage.objects (bucket_id, name collate "C");
-- What bytes belong to somebody is asked by version.
create index if not exists idx_objects_version on storage.objects (version);

create table if not exists storage.s3_multipart_uploads (
  id text primary key,
  in_progress_size bigint not null default 0,
  upload_signature text not null,
  bucket_id text not null references storage.buckets (id),
  key text collate "C" not null,
  version text not null,
  owner_id text,
  user_metadata jsonb,
  metadata jsonb,
  created_at timestamptz not null default now()
);
create index if not exists idx_multipart_uploads_list
  on storage.s3_multipart_uploads (bucket_id, key, created_at);
create table if not exists storage.s3_multipart_uploads_parts (
  id uuid primary key default gen_random_uuid(),
  upload_id text not null references storage.s3_multipart_uploads (id) on delete cascade,
  size bigint not null default 0,
  part_number integer not null,
  bucket_id text not null references storage.buckets (id),
  key text collate "C" not null,
  etag text not null,
  owner_id text,
  version text not null,
  created_at timestamptz not null default now()
);
create index if not exists idx_multipart_parts_upload
  on storage.s3_multipart_uploads_parts (upload_id, part_number, created_at);

-- Nobody sees or changes anything until a policy says so; the key of the service role passes by them.
alter table storage.migrations enable row level security;
alter table storage.buckets enable row level security;
alter table storage.objects enable row level security;
alter table storage.s3_multipart_uploads enable row level security;
alter table storage.s3_multipart_uploads_parts enable row level security;
grant all on storage.buckets, storage.objects to anon, authenticated, service_role, postgres;
grant all on storage.s3_multipart_uploads, storage.s3_multipart_uploads_parts to service_role, postgres;
grant select on storage.s3_multipart_uploads, storage.s3_multipart_uploads_parts to anon, authenticated;
grant select on all tables in schema storage to plinth_read_only;

-- Paths as policies look at them: storage.foldername(name)[1] = auth.uid()::text.
create or replace function storage.foldername(name text) returns text[]
language sql immutable as $$
  select (string_to_array(name, '/'))[1 : array_length(string_to_array(name, '/'), 1) - 1]
$$;
create or replace function storage.filename(name text) returns text
language sql immutable as $$
  select (string_to_array(name, '/'))[array_length(string_to_array(name, '/'), 1)]
$$;
create or replace function storage.extension(name text) returns text
language sql immutable as $$
  select case when strpos(storage.filename(name), '.') > 0
    then reverse(split_part(reverse(storage.filename(name)), '.', 1)) else '' end
$$;

-- What the service is doing, such as storage.object.upload; null outside of it.
create or replace function storage.operation() returns text language sql stable as $$
  select nullif(current_setting('storage.operation', true), '')
$$;
create or replace function storage.allow_only_operation(expected_operation text) returns boolean
language sql stable as $$
  select coalesce(regexp_replace(storage.operation(), '^storage\.', '')
    = regexp_replace(expected_operation, '^storage\.', ''), false)
$$;
create or replace function storage.allow_any_operation(expected_operations text[]) returns boolean
language sql stable as $$
  select exists (select from unnest(expected_operations) as expected
    where storage.allow_only_operation(expected))
$$;

-- A row that is deleted by hand would leave its bytes behind.
create or replace function storage.protect_delete() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('storage.allow_delete_query', true), 'false') <> 'true' then
    raise exception 'Direct deletion from storage tables is not allowed. Use the Storage API instead.'
      using errcode = '42501', hint = 'Deleting the row alone would leave the stored bytes without an owner.';
  end if;
  return null;
end
$$;
create or replace trigger protect_buckets_delete before delete on storage.buckets
  for each statement execute function storage.protect_delete();
create or replace trigger protect_objects_delete before delete on storage.objects
  for each statement execute function storage.protect_delete();

create or replace function storage.update_updated_at_column() returns trigger language plpgsql as $$
begin
  new.updated_at = now();
  return new;
end
$$;
create or replace trigger update_objects_updated_at before update on storage.objects
  for each row execute function storage.update_updated_at_column();

reset role;

-- Policies are made by the owner of a table: the customer writes those of buckets and objects.
do $$
begin
  if exists (select from pg_roles where rolname = 'postgres' and not rolsuper) then
    grant supabase_storage_admin to postgres with inherit true, set false;
  end if;
end
$$;
