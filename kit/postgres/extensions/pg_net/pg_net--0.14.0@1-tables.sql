-- Calls to addresses from SQL, by the public names of pg_net. A call is a row of a queue; the platform takes it once its transaction
-- is committed (data-plane/webhooks), and notes what became of it. Nothing waits for an answer.

-- A project whose webhooks were enabled before there was this extension has the schema and some of what is in it. It becomes the
-- extension's, so that calls that wait are made, and what people built on it stays. Only what the creator owns is taken.
do $$
declare
  thing record;
begin
  if not exists (select from pg_catalog.pg_namespace where nspname = 'net') then
    create schema net;
    return;
  end if;
  if pg_catalog.to_regclass('net.http_request_queue') is null or pg_catalog.to_regclass('net._http_response') is null then
    raise exception 'There is a schema "net" already, and it is not one of webhooks'
      using errcode = '42P06', hint = 'Rename it or drop it, and create the extension again.';
  end if;
  alter extension pg_net add schema net;
  alter extension pg_net add table net.http_request_queue;
  alter extension pg_net add table net._http_response;
  for thing in
    select p.oid::pg_catalog.regprocedure as name from pg_catalog.pg_proc p
    where p.pronamespace = pg_catalog.to_regnamespace('net')
      and p.oid in (
        pg_catalog.to_regprocedure('net._urlencode_string(character varying)'),
        pg_catalog.to_regprocedure('net._enqueue(text,text,jsonb,jsonb,text,integer)'),
        pg_catalog.to_regprocedure('net.http_get(text,jsonb,jsonb,integer)'),
        pg_catalog.to_regprocedure('net.http_post(text,jsonb,jsonb,jsonb,integer)'),
        pg_catalog.to_regprocedure('net.http_delete(text,jsonb,jsonb,integer,jsonb)')
      )
  loop
    execute pg_catalog.format('alter extension pg_net add function %s', thing.name);
  end loop;
end
$$;

create domain net.http_method as text check (value ilike 'get' or value ilike 'post' or value ilike 'delete');
create type net.request_status as enum ('PENDING', 'SUCCESS', 'ERROR');
create type net.http_response as (status_code integer, headers jsonb, body text);
create type net.http_response_result as (status net.request_status, message text, response net.http_response);

-- An identity has a sequence that is no member of an extension, and no part of a dump.
do $$
begin
  if pg_catalog.to_regclass('net.http_request_queue') is not null then
    alter table net.http_request_queue alter column id drop identity if exists;
  end if;
end
$$;
create sequence net.http_request_queue_id_seq;
create table if not exists net.http_request_queue (
  id bigint primary key default pg_catalog.nextval('net.http_request_queue_id_seq'),
  method net.http_method not null,
  url text not null,
  headers jsonb not null,
  body bytea,
  timeout_milliseconds integer not null,
  -- When somebody began to send it; one who died is followed by another a minute later.
  taken_at timestamptz,
  created_at timestamptz default pg_catalog.now()
);
create table if not exists net._http_response (
  id bigint primary key,
  status_code integer,
  content_type text,
  headers jsonb,
  content text,
  timed_out boolean,
  error_msg text,
  created timestamptz not null default pg_catalog.now()
);
create index if not exists http_response_created on net._http_response (created);
-- The project for which calls are made. What waits in a copy of it was meant for the other one.
create table net._project (ref text primary key);

-- Of an earlier edition. When what waits there came is not known.
alter table net.http_request_queue add column if not exists created_at timestamptz;
alter table net.http_request_queue alter column created_at set default pg_catalog.now();
do $$
begin
  if (select atttypid from pg_catalog.pg_attribute
      where attrelid = 'net.http_request_queue'::pg_catalog.regclass and attname = 'body') = 'text'::pg_catalog.regtype then
    alter table net.http_request_queue
      alter column body type bytea using pg_catalog.convert_to(body, 'UTF8'),
      alter column method type net.http_method,
      alter column id set default pg_catalog.nextval('net.http_request_queue_id_seq');
    perform pg_catalog.setval('net.http_request_queue_id_seq', greatest(
      (select pg_catalog.max(id) from net.http_request_queue), (select pg_catalog.max(id) from net._http_response), 0) + 1, false);
  end if;
end
$$;

alter sequence net.http_request_queue_id_seq owned by net.http_request_queue.id;

-- Dumps take along what waits and what was answered.
select pg_catalog.pg_extension_config_dump('net.http_request_queue', '');
select pg_catalog.pg_extension_config_dump('net._http_response', '');
select pg_catalog.pg_extension_config_dump('net._project', '');
select pg_catalog.pg_extension_config_dump('net.http_request_queue_id_seq', '');
