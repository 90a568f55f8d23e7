-- What the realtime service keeps in a project's database: messages that are sent from the database or replayed, and the
-- functions by which it asks what a reader may see. All of this can run again.

-- The service looks through the eyes of its readers; the owner of the database writes policies on its tables.
grant anon, authenticated, service_role to supabase_realtime_admin;
alter role supabase_realtime_admin set statement_timeout = '10s';
do $$
begin
  if exists (select from pg_roles where rolname = 'postgres' and not rolsuper) then
    grant supabase_realtime_admin to postgres;
  end if;
end
$$;

create table if not exists realtime.messages (
  topic text not null,
  extension text not null,
  payload jsonb,
  event text,
  private boolean default false,
  updated_at timestamp not null default now(),
  inserted_at timestamp not null default now(),
  id uuid not null default gen_random_uuid(),
  binary_payload bytea,
  primary key (id, inserted_at)
) partition by range (inserted_at);
alter table realtime.messages owner to supabase_realtime_admin;
alter table realtime.messages enable row level security;
create index if not exists messages_inserted_at_topic_index
  on realtime.messages (topic, inserted_at desc) where extension = 'broadcast' and private;
grant select, insert, update on realtime.messages to anon, authenticated, service_role;
grant all on realtime.messages to postgres;

create or replace function realtime.topic() returns text language sql stable as $$
  select nullif(current_setting('realtime.topic', true), '')::text
$$;
comment on function realtime.topic() is 'The topic of the channel that is being joined or written to, in policies of realtime.messages.';

-- One partition per day. Made when the first message of a day comes, whoever sends it.
create or replace function realtime.add_partition(at timestamp) returns void
language plpgsql security definer set search_path = pg_catalog as $$
declare
  day date := at::date;
  name text := 'messages_' || to_char(day, 'YYYY_MM_DD');
begin
  if to_regclass(format('realtime.%I', name)) is null then
    execute format(
      'create table if not exists realtime.%I partition of realtime.messages for values from (%L) to (%L)',
      name, day, day + 1
    );
  end if;
exception when duplicate_table or unique_violation then
  -- Another session was quicker.
  null;
end
$$;
alter function realtime.add_partition(timestamp) owner to supabase_realtime_admin;
revoke execute on function realtime.add_partition(timestamp) from public;

create or replace function realtime.today_partition() returns void
language sql security definer set search_path = pg_catalog as $$
  select realtime.add_partition(now()::timestamp)
$$;
alter function realtime.today_partition() owner to supabase_realtime_admin;

-- Makes the partitions of the next days and drops what is older than 72 hours.
create or replace function realtime.keep_partitions() returns void
language plpgsql security definer set search_path = pg_catalog as $$
declare
  old record;
begin
  for i in 0..3 loop
    perform realtime.add_partition(now()::timestamp + make_interval(days => i));
  end loop;
  for old in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'realtime.messages'::regclass and c.relname ~ '^messages_\d{4}_\d\d_\d\d$'
      and to_date(substr(c.relname, 10), 'YYYY_MM_DD') + 1 < now() - interval '72 hours'
  loop
    execute format('drop table if exists realtime.%I', old.relname);
  end loop;
end
$$;
alter function realtime.keep_partitions() owner to supabase_realtime_admin;
revoke execute on function realtime.keep_partitions() from public;

create or replace function realtime.send(payload jsonb, event text, topic text, private boolean default true)
returns void language plpgsql as $$
declare
  made uuid := gen_random_uuid();
begin
  perform realtime.today_partition();
  -- For policies that ask which topic is written to, as they do of a channel.
  perform set_config('realtime.topic', topic, true);
  insert into realtime.messages (id, payload, event, topic, private, extension)
  values (
    made,
    case when jsonb_typeof(payload) = 'object' and not payload ? 'id'
      then payload || jsonb_build_object('id', made) else payload end,
    event, topic, private, 'broadcast'
  );
exception when others then
  -- What people write to their tables must not fail because nobody could be told about it.
  raise warning 'ErrorSendingBroadcastMessage: %', sqlerrm;
end
$$;

create or replace function realtime.send_binary(payload bytea, event text, topic text, private boolean default true)
returns void language plpgsql as $$
begin
  perform realtime.today_partition();
  perform set_config('realtime.topic', topic, true);
  insert into realtime.messages (binary_payload, event, topic, private, extension)
  values (payload, event, topic, private, 'broadcast');
exception when others then
  raise warning 'ErrorSendingBroadcastMessage: %', sqlerrm;
end
$$;

create or replace function realtime.broadcast_changes(
  topic_name text, event_name text, operation text, table_name text, table_schema text,
  new record, old record, level text default 'ROW'
) returns void language plpgsql as $$
begin
  if level = 'STATEMENT' then
    raise exception 'function can only be triggered for each row, not for each statement';
  end if;
  perform realtime.send(
    jsonb_build_object(
      'old_record', to_jsonb(old), 'record', to_jsonb(new),
      'operation', operation, 'table', table_name, 'schema', table_schema
    ),
    event_name, topic_name
  );
exception when others then
  raise exception 'Failed to process the row: %', sqlerrm;
end
$$;

-- What a reader may do in a topic: rows for the policies to judge are made, looked at and taken back.
create or replace function realtime.access_to(
  in_topic text, in_role text, in_claims text, in_headers text, extension text, out may_read boolean, out may_write boolean
) language plpgsql set search_path = realtime, pg_catalog as $$
declare
  probe uuid := gen_random_uuid();
begin
  may_read := false;
  may_write := false;
  perform realtime.today_partition();
  begin
    insert into realtime.messages (id, topic, extension, private)
    values (probe, in_topic, access_to.extension, true);
    perform set_config('realtime.topic', in_topic, true),
      set_config('request.jwt.claims', in_claims, true),
      set_config('request.jwt.claim.sub', coalesce(in_claims::jsonb ->> 'sub', ''), true),
      set_config('request.jwt.claim.role', in_role, true),
      set_config('request.headers', in_headers, true),
      set_config('role', in_role, true);
    may_read := exists (select from realtime.messages m where m.id = probe);
    begin
      insert into realtime.messages (topic, extension, private) values (in_topic, access_to.extension, true);
      may_write := true;
    exception when insufficient_privilege then
      may_write := false;
    end;
    raise exception using errcode = 'RT000';
  exception when sqlstate 'RT000' then
    -- Also takes back the role and the claims.
    null;
  end;
end
$$;
alter function realtime.access_to(text, text, text, text, text) owner to supabase_realtime_admin;
revoke execute on function realtime.access_to(text, text, text, text, text) from public;

-- What each reader may see of rows that have changed: one answer for a whole batch and all readers. `keys` is a list of
-- objects with the columns of the primary key, `xid` the transaction that changed them; `readers` of {role, claims}. `columns` are those that the reader may select,
-- `places` the visible ones of `keys`, from 1; null: row level security does not ask about this reader.
create or replace function realtime.visible_rows(xid bigint, relation regclass, key_columns text[], keys jsonb, readers jsonb)
returns table (reader int, columns text[], places int[]) language plpgsql set search_path = pg_catalog as $$
declare
  one record;
  matches text;
  newest bigint;
  whole bigint;
begin
  -- What a transaction has written can be read from the log a moment before others see it: its end is waited for. The log
  -- has the lower half of its number only.
  loop
    newest := pg_snapshot_xmax(pg_current_snapshot())::text::bigint;
    whole := newest - mod(newest, 4294967296) + xid;
    if whole - newest > 2147483648 then
      whole := whole - 4294967296;
    elsif newest - whole > 2147483648 then
      whole := whole + 4294967296;
    end if;
    exit when pg_visible_in_snapshot(whole::text::xid8, pg_current_snapshot());
    perform pg_sleep(0.0005);
  end loop;
  select string_agg(format('t.%1$I = k.%1$I', name), ' and ') into matches from unnest(key_columns) as name;
  for one in select r.value, r.ordinality from jsonb_array_elements(readers) with ordinality r loop
    reader := one.ordinality;
    columns := '{}';
    places := '{}';
    begin
      perform set_config('request.jwt.claims', one.value ->> 'claims', true),
        set_config('request.jwt.claim.sub', coalesce((one.value ->> 'claims')::jsonb ->> 'sub', ''), true),
        set_config('request.jwt.claim.role', one.value ->> 'role', true),
        set_config('role', one.value ->> 'role', true);
      columns := array(
        select attname::text from pg_attribute
        where attrelid = relation and attnum > 0 and not attisdropped and has_column_privilege(relation, attnum, 'select')
      );
      if not row_security_active(relation) then
        places := null;
      elsif matches is not null and columns @> key_columns then
        execute format(
          'select coalesce(array_agg(e.ordinality::int), ''{}'') from jsonb_array_elements($1) with ordinality e
           cross join lateral jsonb_populate_record(null::%1$s, e.value) k where exists (select from %1$s t where %2$s)',
          relation, matches
        ) into places using keys;
      end if;
    exception when others then
      -- A policy that fails shows nothing to this reader, and does not keep the others waiting.
      places := '{}';
      raise warning 'Changes of % can not be shown to %: %', relation, one.value ->> 'role', sqlerrm;
    end;
    perform set_config('role', 'supabase_realtime_admin', true);
    return next;
  end loop;
end
$$;
alter function realtime.visible_rows(bigint, regclass, text[], jsonb, jsonb) owner to supabase_realtime_admin;
revoke execute on function realtime.visible_rows(bigint, regclass, text[], jsonb, jsonb) from public;

grant execute on function realtime.topic(), realtime.today_partition(),
  realtime.send(jsonb, text, text, boolean), realtime.send_binary(bytea, text, text, boolean),
  realtime.broadcast_changes(text, text, text, text, text, record, record, text)
  to postgres, anon, authenticated, service_role, dashboard_user;

-- Messages reach the service by the same way as changes of tables.
do $$
begin
  if not exists (select from pg_publication where pubname = 'supabase_realtime_messages_publication') then
    create publication supabase_realtime_messages_publication for table realtime.messages
      with (publish = 'insert', publish_via_partition_root = true);
  end if;
end
$$;
alter publication supabase_realtime_messages_publication owner to supabase_realtime_admin;

-- Who listens to changes of which table now, for whoever looks: the service notes and removes it, and lets go of what a
-- process that has died left behind.
create table if not exists realtime.subscription (
  id bigint generated always as identity primary key,
  subscription_id uuid not null,
  entity regclass not null,
  filters text[] not null default '{}',
  action_filter text not null default '*',
  claims jsonb not null,
  claims_role text generated always as (claims ->> 'role') stored,
  created_at timestamp not null default now(),
  seen_at timestamp not null default now()
);
alter table realtime.subscription owner to supabase_realtime_admin;
create index if not exists subscription_subscription_id_index on realtime.subscription (subscription_id);
alter table realtime.subscription enable row level security;
grant select on realtime.subscription to postgres;

-- Versions of what is in this schema.
create table if not exists realtime.schema_migrations (
  version bigint primary key,
  inserted_at timestamp not null default now()
);
alter table realtime.schema_migrations owner to supabase_realtime_admin;
alter table realtime.schema_migrations enable row level security;
grant select on realtime.schema_migrations to postgres;
