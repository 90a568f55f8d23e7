-- Message queues in tables, by the public names of pgmq. A queue is a table `q_NAME`, its archive a table `a_NAME`; both belong to
-- whoever made the queue, and outlive the extension. Everything runs with the rights of the caller.

create table pgmq.meta (
  queue_name varchar primary key,
  is_partitioned boolean not null,
  is_unlogged boolean not null,
  created_at timestamptz not null default now()
);
select pg_catalog.pg_extension_config_dump('pgmq.meta', '');

-- Of partitioned queues: how wide a partition is, and how much is kept. Both are numbers of messages, or intervals of time.
create table pgmq._partitions (
  queue_name varchar primary key references pgmq.meta on delete cascade,
  width text not null,
  kept text not null
);
select pg_catalog.pg_extension_config_dump('pgmq._partitions', '');

create type pgmq.message_record as (
  msg_id bigint,
  read_ct integer,
  enqueued_at timestamptz,
  vt timestamptz,
  message jsonb,
  headers jsonb
);
create type pgmq.queue_record as (
  queue_name varchar,
  is_partitioned boolean,
  is_unlogged boolean,
  created_at timestamptz
);
create type pgmq.metrics_result as (
  queue_name text,
  queue_length bigint,
  newest_msg_age_sec integer,
  oldest_msg_age_sec integer,
  total_messages bigint,
  scrape_time timestamptz,
  queue_visible_length bigint
);

-- Names: with their prefix and what indexes add they must fit into 63 bytes.
create function pgmq.validate_queue_name(queue_name text) returns void
language plpgsql set search_path = pg_catalog as $$
begin
  if octet_length(queue_name) > 47 then
    raise exception 'A queue name has at most 47 bytes' using errcode = '42622';
  end if;
end
$$;

-- Every call of every function passes here, and where that is has its search_path set already; to set it again costs half of it.
create function pgmq.format_table_name(queue_name text, prefix text) returns text
language plpgsql immutable as $$
begin
  if queue_name is null or queue_name operator(pg_catalog.=) '' or queue_name operator(pg_catalog.~) '\$|;|--|''' then
    raise exception 'A queue name cannot be empty, and has no $, ;, -- or ''' using errcode = '22023';
  end if;
  return pg_catalog.lower(pg_catalog.concat(prefix, '_', queue_name));
end
$$;

create function pgmq.acquire_queue_lock(queue_name text) returns void
language sql set search_path = pg_catalog as $$
  select pg_advisory_xact_lock(hashtext('pgmq.queue_' || lower(queue_name)))
$$;

-- Partitions of the queue `x` are named `q_x_p0` and so on, which is how the table of a queue `x_p0` would be named too.
create function pgmq._refuse_partition(table_name text) returns void
language plpgsql stable set search_path = pg_catalog as $$
begin
  if exists (select from pg_class c
    where c.relnamespace = 'pgmq'::regnamespace and c.relname = table_name and c.relispartition) then
    raise exception 'The table pgmq.% is a partition of another queue', quote_ident(table_name) using errcode = '42P07';
  end if;
end
$$;

-- Making and dropping queues ----------------------------------------------------------------------------------------------------

create function pgmq._create_archive(queue_name text) returns void
language plpgsql set search_path = pg_catalog as $$
declare
  a constant text := pgmq.format_table_name(queue_name, 'a');
begin
  execute format(
    'create table if not exists pgmq.%I (
      msg_id bigint primary key,
      read_ct integer not null default 0,
      enqueued_at timestamptz not null default now(),
      archived_at timestamptz not null default now(),
      vt timestamptz not null,
      message jsonb,
      headers jsonb
    )', a);
  execute format('create index if not exists %I on pgmq.%I (archived_at)', 'archived_at_idx_' || lower(queue_name), a);
end
$$;

create function pgmq._create_queue(queue_name text, unlogged boolean) returns void
language plpgsql set search_path = pg_catalog as $$
declare
  q constant text := pgmq.format_table_name(queue_name, 'q');
begin
  perform pgmq.validate_queue_name(queue_name);
  perform pgmq.acquire_queue_lock(queue_name);
  perform pgmq._refuse_partition(q);
  execute format(
    'create %s table if not exists pgmq.%I (
      msg_id bigint primary key generated always as identity,
      read_ct integer not null default 0,
      enqueued_at timestamptz not null default now(),
      vt timestamptz not null,
      message jsonb,
      headers jsonb
    )', case when unlogged then 'unlogged' else '' end, q);
  perform pgmq._create_archive(queue_name);
  execute format('create index if not exists %I on pgmq.%I (vt)', q || '_vt_idx', q);
  insert into pgmq.meta (queue_name, is_partitioned, is_unlogged)
  values (_create_queue.queue_name, false, unlogged) on conflict do nothing;
end
$$;

create function pgmq.create_non_partitioned(queue_name text) returns void
language sql set search_path = pg_catalog as $$ select pgmq._create_queue(queue_name, false) $$;

create function pgmq.create_unlogged(queue_name text) returns void
language sql set search_path = pg_catalog as $$ select pgmq._create_queue(queue_name, true) $$;

create function pgmq."create"(queue_name text) returns void
language sql set search_path = pg_catalog as $$ select pgmq._create_queue(queue_name, false) $$;

-- By the number of messages, or by time: what a partition of `width` is a range of.
create function pgmq._get_partition_col(partition_interval text) returns text
language sql immutable set search_path = pg_catalog as $$
  select case when partition_interval ~ '^\d+$' then 'msg_id' else 'enqueued_at' end
$$;

-- Makes the partitions that so many messages are written to now and the next one, and drops those that hold nothing younger than
-- what is kept. Called with every message that is sent; it has something to do once for each partition. Whoever may send need not
-- own the queue: this runs as the owner of the extension, and only the name of a queue and a number come from outside.
create function pgmq._maintain(queue_name text, messages integer default 1) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  q constant text := pgmq.format_table_name(queue_name, 'q');
  settings pgmq._partitions;
  by_number boolean;
  -- How wide a partition is and what is kept, and the place that is written to: messages, or seconds since 1970.
  width bigint;
  kept bigint;
  place bigint;
  last_partition bigint;
  first_kept bigint;
  partition record;
begin
  select * into settings from pgmq._partitions p where lower(p.queue_name) = lower(_maintain.queue_name);
  if not found then
    return;
  end if;
  by_number := pgmq._get_partition_col(settings.width) = 'msg_id';
  if by_number then
    width := settings.width::bigint;
    kept := settings.kept::bigint;
    -- Many at once, of several senders, would each count on the same partitions.
    if messages * 10::bigint > width then
      perform pgmq.acquire_queue_lock(queue_name);
    end if;
    execute format('select coalesce(last_value, 0) from pgmq.%I', q || '_msg_id_seq') into place;
    last_partition := (place + messages) / width + 1;
    first_kept := (place + messages - kept) / width;
  else
    width := extract(epoch from settings.width::interval);
    kept := extract(epoch from settings.kept::interval);
    place := extract(epoch from clock_timestamp());
    last_partition := place / width + 1;
    first_kept := (place - kept) / width;
  end if;
  if to_regclass(format('pgmq.%I', q || '_p' || last_partition)) is not null then
    return;
  end if;
  perform pgmq.acquire_queue_lock(queue_name);
  for n in place / width .. last_partition loop
    continue when to_regclass(format('pgmq.%I', q || '_p' || n)) is not null;
    execute format('create table pgmq.%I partition of pgmq.%I for values from (%L) to (%L)', q || '_p' || n, q,
      case when by_number then (n * width)::text else to_timestamp(n * width)::text end,
      case when by_number then ((n + 1) * width)::text else to_timestamp((n + 1) * width)::text end);
  end loop;
  for partition in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = to_regclass(format('pgmq.%I', q))
      and substring(c.relname from '_p(\d+)$')::bigint < first_kept
  loop
    execute format('drop table pgmq.%I', partition.relname);
  end loop;
end
$$;

create function pgmq.create_partitioned(
  queue_name text, partition_interval text default '10000', retention_interval text default '100000'
) returns void
language plpgsql set search_path = pg_catalog as $$
declare
  q constant text := pgmq.format_table_name(queue_name, 'q');
  of_column constant text := pgmq._get_partition_col(partition_interval);
begin
  perform pgmq.validate_queue_name(queue_name);
  if of_column <> pgmq._get_partition_col(retention_interval) then
    raise exception 'partition_interval and retention_interval are both numbers of messages, or both intervals of time'
      using errcode = '22023';
  end if;
  if (case of_column when 'msg_id' then partition_interval::bigint < 1
    else extract(epoch from partition_interval::interval) < 1 end) then
    raise exception 'partition_interval is at least one message, or one second' using errcode = '22023';
  end if;
  perform pgmq.acquire_queue_lock(queue_name);
  if exists (select from pgmq.meta m where m.queue_name = create_partitioned.queue_name) then
    return;
  end if;
  perform pgmq._refuse_partition(q);
  execute format(
    'create table pgmq.%I (
      msg_id bigint not null generated always as identity,
      read_ct integer not null default 0,
      enqueued_at timestamptz not null default now(),
      vt timestamptz not null,
      message jsonb,
      headers jsonb
    ) partition by range (%I)', q, of_column);
  -- It stays with the table when the extension is dropped, and comes with a dump.
  execute format('comment on table pgmq.%I is %L', q,
    format('partitions of %s, kept for %s', partition_interval, retention_interval));
  perform pgmq._create_archive(queue_name);
  execute format('create index %I on pgmq.%I (msg_id)', q || '_msg_id_idx', q);
  execute format('create index %I on pgmq.%I (vt)', q || '_vt_idx', q);
  insert into pgmq.meta (queue_name, is_partitioned, is_unlogged)
  values (create_partitioned.queue_name, true, false);
  insert into pgmq._partitions values (create_partitioned.queue_name, partition_interval, retention_interval);
  perform pgmq._maintain(queue_name);
end
$$;

create function pgmq.drop_queue(queue_name text) returns boolean
language plpgsql set search_path = pg_catalog as $$
begin
  perform pgmq.acquire_queue_lock(queue_name);
  if not exists (select from pgmq.meta m where m.queue_name = drop_queue.queue_name) then
    raise notice 'The queue "%" does not exist', queue_name;
    return false;
  end if;
  execute format('drop table if exists pgmq.%I', pgmq.format_table_name(queue_name, 'q'));
  execute format('drop table if exists pgmq.%I', pgmq.format_table_name(queue_name, 'a'));
  delete from pgmq.meta m where m.queue_name = drop_queue.queue_name;
  return true;
end
$$;

create function pgmq.drop_queue(queue_name text, partitioned boolean) returns boolean
language sql set search_path = pg_catalog as $$ select pgmq.drop_queue(queue_name) $$;

-- The archive stays where it is, and is nobody's but the owner's any more. It belongs to no extension here, so nothing is to be done.
create function pgmq.detach_archive(queue_name text) returns void
language plpgsql set search_path = pg_catalog as $$
begin
  if to_regclass(format('pgmq.%I', pgmq.format_table_name(queue_name, 'a'))) is null then
    raise exception 'The queue "%" has no archive', queue_name using errcode = '42P01';
  end if;
end
$$;

create function pgmq.convert_archive_partitioned(
  table_name text, partition_interval text default '10000', retention_interval text default '100000',
  leading_partition integer default 10
) returns void
language plpgsql set search_path = pg_catalog as $$
begin
  raise exception 'Archives are not partitioned here' using errcode = '0A000',
    hint = 'Delete from the archive what is older than you keep: it has an index on archived_at.';
end
$$;

create function pgmq.purge_queue(queue_name text) returns bigint
language plpgsql set search_path = pg_catalog as $$
declare
  q constant text := pgmq.format_table_name(queue_name, 'q');
  purged bigint;
begin
  -- First what nobody else can be writing any more, so that the count is of what goes.
  execute format('lock table pgmq.%I in access exclusive mode', q);
  execute format('select count(*) from pgmq.%I', q) into purged;
  execute format('truncate table pgmq.%I', q);
  return purged;
end
$$;
