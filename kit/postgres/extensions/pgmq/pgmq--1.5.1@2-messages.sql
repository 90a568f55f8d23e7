-- Sending -----------------------------------------------------------------------------------------------------------------------

-- The table of a queue, for a statement, with the partitions that so many messages need. By the catalog and not by what is
-- written down of queues: who may send need not be able to read that. Its callers have their search_path set already.
create function pgmq._table_to_send(queue_name text, messages integer) returns text
language plpgsql as $$
declare
  q constant text := pg_catalog.format('pgmq.%I', pgmq.format_table_name(queue_name, 'q'));
begin
  if pg_catalog.pg_partition_root(pg_catalog.to_regclass(q)) is not null then
    perform pgmq._maintain(queue_name, messages);
  end if;
  return q;
end
$$;

create function pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[], delay timestamptz) returns setof bigint
language plpgsql set search_path = pg_catalog as $$
begin
  if headers is not null and cardinality(headers) <> cardinality(msgs) then
    raise exception 'There are as many headers as messages, or none' using errcode = '22023';
  end if;
  return query execute format(
    'insert into %s (vt, message, headers)
     select $1, message, header from unnest($2, coalesce($3, ''{}'')) with ordinality as sent (message, header, place)
     order by place returning msg_id', pgmq._table_to_send(queue_name, cardinality(msgs)))
  using delay, msgs, headers;
end
$$;
create function pgmq.send_batch(queue_name text, msgs jsonb[]) returns setof bigint
language sql set search_path = pg_catalog as $$
  select * from pgmq.send_batch(queue_name, msgs, null, clock_timestamp())
$$;
create function pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[]) returns setof bigint
language sql set search_path = pg_catalog as $$
  select * from pgmq.send_batch(queue_name, msgs, headers, clock_timestamp())
$$;
create function pgmq.send_batch(queue_name text, msgs jsonb[], delay integer) returns setof bigint
language sql set search_path = pg_catalog as $$
  select * from pgmq.send_batch(queue_name, msgs, null, clock_timestamp() + make_interval(secs => delay))
$$;
create function pgmq.send_batch(queue_name text, msgs jsonb[], delay timestamptz) returns setof bigint
language sql set search_path = pg_catalog as $$
  select * from pgmq.send_batch(queue_name, msgs, null, delay)
$$;
create function pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[], delay integer) returns setof bigint
language sql set search_path = pg_catalog as $$
  select * from pgmq.send_batch(queue_name, msgs, headers, clock_timestamp() + make_interval(secs => delay))
$$;

create function pgmq._send(queue_name text, msg jsonb, headers jsonb, delay timestamptz) returns bigint
language plpgsql as $$
declare
  sent bigint;
begin
  execute pg_catalog.concat('insert into ', pgmq._table_to_send(queue_name, 1),
    ' (vt, message, headers) values ($1, $2, $3) returning msg_id') into sent using delay, msg, headers;
  return sent;
end
$$;
-- In plpgsql, which keeps the plans of a session; those of SQL functions are made anew with each call.
create function pgmq.send(queue_name text, msg jsonb) returns setof bigint
language plpgsql set search_path = pg_catalog as $$
begin
  return next pgmq._send(queue_name, msg, null, clock_timestamp());
end
$$;
create function pgmq.send(queue_name text, msg jsonb, headers jsonb) returns setof bigint
language plpgsql set search_path = pg_catalog as $$
begin
  return next pgmq._send(queue_name, msg, headers, clock_timestamp());
end
$$;
create function pgmq.send(queue_name text, msg jsonb, delay integer) returns setof bigint
language plpgsql set search_path = pg_catalog as $$
begin
  return next pgmq._send(queue_name, msg, null, clock_timestamp() + make_interval(secs => delay));
end
$$;
create function pgmq.send(queue_name text, msg jsonb, delay timestamptz) returns setof bigint
language plpgsql set search_path = pg_catalog as $$
begin
  return next pgmq._send(queue_name, msg, null, delay);
end
$$;
create function pgmq.send(queue_name text, msg jsonb, headers jsonb, delay integer) returns setof bigint
language plpgsql set search_path = pg_catalog as $$
begin
  return next pgmq._send(queue_name, msg, headers, clock_timestamp() + make_interval(secs => delay));
end
$$;
create function pgmq.send(queue_name text, msg jsonb, headers jsonb, delay timestamptz) returns setof bigint
language plpgsql set search_path = pg_catalog as $$
begin
  return next pgmq._send(queue_name, msg, headers, delay);
end
$$;

-- Reading -----------------------------------------------------------------------------------------------------------------------

-- The first of those that wait are looked for among the 2,000 numbers at the head of the queue. Where that many are hidden, such as
-- messages of tomorrow, walking over all of them would take a second with a million: then those come first that have waited longest,
-- which the index of `vt` has in order. The usual case, one message, has a statement of its own: to plan the other one takes longer
-- than to run it.
create function pgmq.read(queue_name text, vt integer, qty integer, conditional jsonb default '{}')
returns setof pgmq.message_record
language plpgsql set search_path = pg_catalog as $$
declare
  q constant text := pgmq.format_table_name(queue_name, 'q');
  later constant interval := make_interval(secs => vt);
  -- What is taken first is hidden from what is looked for second, even for no time at all.
  asked constant timestamptz := clock_timestamp();
  taken integer;
begin
  if coalesce(conditional, '{}') <> '{}' then
    return query execute format(
      'with free as (
         select msg_id from pgmq.%1$I where vt <= clock_timestamp() and message @> $3
         order by msg_id limit $2 for update skip locked
       ), taken as (
         update pgmq.%1$I m set vt = clock_timestamp() + $1, read_ct = m.read_ct + 1
         from free where m.msg_id = free.msg_id
         returning m.msg_id, m.read_ct, m.enqueued_at, m.vt, m.message, m.headers
       ) select * from taken order by msg_id', q)
    using later, qty, conditional;
    return;
  end if;
  if qty = 1 then
    return query execute format(
      'update pgmq.%1$I m set vt = clock_timestamp() + $1, read_ct = m.read_ct + 1
       where m.msg_id = (
         select msg_id from pgmq.%1$I
         where vt <= clock_timestamp() and msg_id < (select min(msg_id) from pgmq.%1$I) + 2000
         order by msg_id limit 1 for update skip locked
       ) returning m.msg_id, m.read_ct, m.enqueued_at, m.vt, m.message, m.headers', q)
    using later;
  else
    return query execute format(
      'with free as (
         select msg_id from pgmq.%1$I
         where vt <= clock_timestamp() and msg_id < (select min(msg_id) from pgmq.%1$I) + 2000
         order by msg_id limit $2 for update skip locked
       ), taken as (
         update pgmq.%1$I m set vt = clock_timestamp() + $1, read_ct = m.read_ct + 1
         from free where m.msg_id = free.msg_id
         returning m.msg_id, m.read_ct, m.enqueued_at, m.vt, m.message, m.headers
       ) select * from taken order by msg_id', q)
    using later, qty;
  end if;
  get diagnostics taken = row_count;
  if qty is null or taken < qty and (taken = 0 or vt >= 0) then
    return query execute format(
      'with free as (
         select msg_id from pgmq.%1$I where vt <= $3 order by vt limit $2 for update skip locked
       ), taken as (
         update pgmq.%1$I m set vt = clock_timestamp() + $1, read_ct = m.read_ct + 1
         from free where m.msg_id = free.msg_id
         returning m.msg_id, m.read_ct, m.enqueued_at, m.vt, m.message, m.headers
       ) select * from taken order by msg_id', q)
    using later, qty - taken, asked;
  end if;
end
$$;

create function pgmq.read_with_poll(
  queue_name text, vt integer, qty integer, max_poll_seconds integer default 5, poll_interval_ms integer default 100,
  conditional jsonb default '{}'
) returns setof pgmq.message_record
language plpgsql set search_path = pg_catalog as $$
declare
  until constant timestamptz := clock_timestamp() + make_interval(secs => max_poll_seconds);
begin
  loop
    return query select * from pgmq.read(queue_name, vt, qty, conditional);
    exit when found or clock_timestamp() >= until;
    perform pg_sleep(least(greatest(poll_interval_ms, 1) / 1000.0, extract(epoch from until - clock_timestamp())));
  end loop;
end
$$;

-- As `read` looks for one.
create function pgmq.pop(queue_name text) returns setof pgmq.message_record
language plpgsql set search_path = pg_catalog as $$
declare
  q constant text := pgmq.format_table_name(queue_name, 'q');
begin
  return query execute format(
    'delete from pgmq.%1$I where msg_id = (
       select msg_id from pgmq.%1$I
       where vt <= clock_timestamp() and msg_id < (select min(msg_id) from pgmq.%1$I) + 2000
       order by msg_id limit 1 for update skip locked
     ) returning msg_id, read_ct, enqueued_at, vt, message, headers', q);
  if not found then
    return query execute format(
      'delete from pgmq.%1$I where msg_id = (
         select msg_id from pgmq.%1$I where vt <= $1 order by vt limit 1 for update skip locked
       ) returning msg_id, read_ct, enqueued_at, vt, message, headers', q)
    using clock_timestamp();
  end if;
end
$$;

create function pgmq.set_vt(queue_name text, msg_id bigint, vt integer) returns setof pgmq.message_record
language plpgsql set search_path = pg_catalog as $$
begin
  return query execute format(
    'update pgmq.%I m set vt = clock_timestamp() + make_interval(secs => $2) where m.msg_id = $1
     returning m.msg_id, m.read_ct, m.enqueued_at, m.vt, m.message, m.headers', pgmq.format_table_name(queue_name, 'q'))
  using msg_id, vt;
end
$$;

-- Deleting and archiving --------------------------------------------------------------------------------------------------------

create function pgmq.delete(queue_name text, msg_ids bigint[]) returns setof bigint
language plpgsql set search_path = pg_catalog as $$
begin
  return query execute format('delete from pgmq.%I m where m.msg_id = any ($1) returning m.msg_id',
    pgmq.format_table_name(queue_name, 'q')) using msg_ids;
end
$$;
create function pgmq.delete(queue_name text, msg_id bigint) returns boolean
language plpgsql set search_path = pg_catalog as $$
declare
  deleted integer;
begin
  execute format('delete from pgmq.%I m where m.msg_id = $1', pgmq.format_table_name(queue_name, 'q')) using msg_id;
  get diagnostics deleted = row_count;
  return deleted > 0;
end
$$;

create function pgmq.archive(queue_name text, msg_ids bigint[]) returns setof bigint
language plpgsql set search_path = pg_catalog as $$
begin
  return query execute format(
    'with gone as (
       delete from pgmq.%I m where m.msg_id = any ($1) returning msg_id, vt, read_ct, enqueued_at, message, headers
     )
     insert into pgmq.%I (msg_id, vt, read_ct, enqueued_at, message, headers)
     select msg_id, vt, read_ct, enqueued_at, message, headers from gone returning msg_id',
    pgmq.format_table_name(queue_name, 'q'), pgmq.format_table_name(queue_name, 'a')) using msg_ids;
end
$$;
create function pgmq.archive(queue_name text, msg_id bigint) returns boolean
language sql set search_path = pg_catalog as $$ select exists (select from pgmq.archive(queue_name, array[msg_id])) $$;

-- What is there -----------------------------------------------------------------------------------------------------------------

create function pgmq.list_queues() returns setof pgmq.queue_record
language sql stable set search_path = pg_catalog as $$
  select queue_name, is_partitioned, is_unlogged, created_at from pgmq.meta
$$;

create function pgmq.metrics(queue_name text) returns pgmq.metrics_result
language plpgsql stable set search_path = pg_catalog as $$
declare
  q constant text := pgmq.format_table_name(queue_name, 'q');
  result pgmq.metrics_result;
begin
  execute format(
    'select $1, count(*), extract(epoch from clock_timestamp() - max(enqueued_at))::integer,
       extract(epoch from clock_timestamp() - min(enqueued_at))::integer,
       (select case when is_called then last_value else 0 end from pgmq.%I), clock_timestamp(),
       count(*) filter (where vt <= clock_timestamp())
     from pgmq.%I', q || '_msg_id_seq', q) into result using queue_name;
  return result;
end
$$;

create function pgmq.metrics_all() returns setof pgmq.metrics_result
language sql stable set search_path = pg_catalog as $$
  select (m).* from (select pgmq.metrics(queue_name) as m from pgmq.meta offset 0) each
$$;

-- Queues that an earlier installation of the extension has left are known again.
insert into pgmq.meta (queue_name, is_partitioned, is_unlogged)
select substring(c.relname from 3), c.relkind = 'p', c.relpersistence = 'u'
from pg_catalog.pg_class c
where c.relnamespace = 'pgmq'::pg_catalog.regnamespace and c.relname like 'q\_%' and c.relkind in ('r', 'p')
  and not c.relispartition
  and pg_catalog.pg_has_role(c.relowner, 'usage');

insert into pgmq._partitions (queue_name, width, kept)
select m.queue_name, said[1], said[2]
from pgmq.meta m, pg_catalog.pg_class c, pg_catalog.regexp_match(
  pg_catalog.obj_description(c.oid, 'pg_class'), '^partitions of (.+), kept for (.+)$') as said
where m.is_partitioned and c.relnamespace = 'pgmq'::pg_catalog.regnamespace
  and c.relname operator(pg_catalog.=) pg_catalog.lower('q_' operator(pg_catalog.||) m.queue_name) and said is not null;
