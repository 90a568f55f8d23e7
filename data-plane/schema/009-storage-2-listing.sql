-- Lists of objects, one level of folders at a time. Instead of reading all names below a prefix, a list jumps: from the
-- first name of a folder to behind its last one. So it costs what it answers with, however much lies in the bucket.

set role supabase_storage_admin;

-- The first text, in byte order, behind all that start with this one.
create or replace function storage.prefix_end(prefix text) returns text language sql immutable as $$
  select case
    when prefix = '' then chr(1114111)
    when ascii(right(prefix, 1)) = 55295 then left(prefix, -1) || chr(57344)
    when ascii(right(prefix, 1)) >= 1114111 then prefix || chr(1114111)
    else left(prefix, -1) || chr(ascii(right(prefix, 1)) + 1)
  end
$$;

-- Objects (id is set) and folders (id is null, the name ends with the delimiter) right below a prefix, by full name. Without
-- a delimiter every object counts as right below. `after` is the last name of the page before.
create or replace function storage.list_level(
  bucket text, prefix text, delimiter text, after text, most integer, descending boolean default false
) returns table (
  name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz, metadata jsonb
) language plpgsql stable as $$
declare
  found_one storage.objects%rowtype;
  low text := list_level.prefix;
  high text := storage.prefix_end(list_level.prefix);
  cut integer;
  given integer := 0;
begin
  if coalesce(after, '') <> '' then
    if descending then
      high := least(high collate "C", after collate "C");
    -- The prefix itself is an object that stands for the folder, not a folder to be jumped over.
    elsif delimiter <> '' and after <> list_level.prefix and right(after, length(delimiter)) = delimiter then
      low := greatest(low collate "C", storage.prefix_end(after) collate "C");
    else
      -- No text holds a NUL, so this is the next one.
      low := greatest(low collate "C", (after || chr(1)) collate "C");
    end if;
  end if;
  while given < most loop
    if descending then
      select o.* into found_one from storage.objects o
      where o.bucket_id = bucket and o.name collate "C" >= low and o.name collate "C" < high
      order by o.name collate "C" desc limit 1;
    else
      select o.* into found_one from storage.objects o
      where o.bucket_id = bucket and o.name collate "C" >= low and o.name collate "C" < high
      order by o.name collate "C" limit 1;
    end if;
    exit when not found;
    given := given + 1;
    cut := case when delimiter = '' then 0
      else strpos(substr(found_one.name, length(list_level.prefix) + 1), delimiter) end;
    if cut > 0 then
      name := left(found_one.name, length(list_level.prefix) + cut + length(delimiter) - 1);
      id := null; updated_at := null; created_at := null; last_accessed_at := null; metadata := null;
      if descending then high := name; else low := storage.prefix_end(name); end if;
    else
      name := found_one.name;
      id := found_one.id;
      updated_at := found_one.updated_at;
      created_at := found_one.created_at;
      last_accessed_at := found_one.last_accessed_at;
      metadata := found_one.metadata;
      if descending then high := name; else low := name || chr(1); end if;
    end if;
    return next;
  end loop;
end
$$;

-- The same level in the order of another column, or narrowed to names that begin so whatever their case: these need all
-- of the level. Folders come first.
create or replace function storage.list_level_by(
  bucket text, prefix text, beginning text, column_name text, descending boolean
) returns table (
  name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz, metadata jsonb
) language sql stable as $$
  with level as (
    select split_part(substr(o.name, length(prefix) + 1), '/', 1) as part,
      strpos(substr(o.name, length(prefix) + 1), '/') > 0 as inside, o.*
    from storage.objects o
    where o.bucket_id = bucket and o.name collate "C" >= prefix and o.name collate "C" < storage.prefix_end(prefix)
      and starts_with(lower(substr(o.name, length(prefix) + 1)), lower(beginning))
  ), entries as (
    select distinct part, true as folder, null::uuid as id, null::timestamptz as updated_at,
      null::timestamptz as created_at, null::timestamptz as last_accessed_at, null::jsonb as metadata
    from level where inside
    union all
    select part, false, id, updated_at, created_at, last_accessed_at, metadata from level where not inside
  ), keyed as (
    select e.*, case column_name when 'updated_at' then e.updated_at when 'created_at' then e.created_at
      when 'last_accessed_at' then e.last_accessed_at end as moment from entries e
  )
  select prefix || part || case when folder then '/' else '' end, id, updated_at, created_at, last_accessed_at, metadata
  from keyed
  order by case when column_name <> 'name' then not folder end,
    case when descending then null else moment end,
    case when descending then moment end desc,
    case when descending then null else part end collate "C",
    case when descending then part end collate "C" desc
$$;

-- What programs call that list by SQL. Names are those below the prefix.
create or replace function storage.search(
  prefix text, bucketname text, limits integer default 100, levels integer default 1, offsets integer default 0,
  search text default '', sortcolumn text default 'name', sortorder text default 'asc'
) returns table (
  name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz, metadata jsonb
) language plpgsql stable as $$
declare
  descending boolean := lower(coalesce(sortorder, 'asc')) = 'desc';
begin
  if coalesce(search.search, '') = '' and coalesce(sortcolumn, 'name') = 'name' then
    return query select rtrim(substr(l.name, length(prefix) + 1), '/'), l.id, l.updated_at, l.created_at,
        l.last_accessed_at, l.metadata
      from storage.list_level(bucketname, prefix, '/', '', limits + offsets, descending) l offset offsets;
  else
    return query select rtrim(substr(l.name, length(prefix) + 1), '/'), l.id, l.updated_at, l.created_at,
        l.last_accessed_at, l.metadata
      from storage.list_level_by(bucketname, prefix, coalesce(search.search, ''), coalesce(sortcolumn, 'name'), descending) l
      limit limits offset offsets;
  end if;
end
$$;

create or replace function storage.search_v2(
  prefix text, bucket_name text, limits integer default 100, levels integer default 1, start_after text default '',
  sort_order text default 'asc', sort_column text default 'name', sort_column_after text default ''
) returns table (
  key text, name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz, metadata jsonb
) language sql stable as $$
  select split_part(rtrim(l.name, '/'), '/', -1), l.name, l.id, l.updated_at, l.created_at, l.last_accessed_at, l.metadata
  from storage.list_level(bucket_name, prefix, '/', start_after, limits, lower(sort_order) = 'desc') l
$$;

reset role;
