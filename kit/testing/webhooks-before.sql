-- What the release before 0.14.0 of pg_net made when webhooks were enabled: projects have it, and go on from there.

create schema if not exists net;
create schema if not exists supabase_functions;
grant usage on schema net to service_role;

create table if not exists net.http_request_queue (
  id bigint generated always as identity primary key,
  method text not null,
  url text not null,
  headers jsonb not null,
  body text,
  timeout_milliseconds integer not null,
  -- When somebody began to send it; one who died is followed by another a minute later.
  taken_at timestamptz,
  created_at timestamptz default now()
);
-- For queues that were made without it. What waits in them gets no time: when it came is not known.
alter table net.http_request_queue add column if not exists created_at timestamptz;
alter table net.http_request_queue alter column created_at set default now();
create table if not exists net._http_response (
  id bigint primary key,
  status_code integer,
  content_type text,
  headers jsonb,
  content text,
  timed_out boolean,
  error_msg text,
  created timestamptz not null default now()
);
create index if not exists http_response_created on net._http_response (created);
create table if not exists supabase_functions.hooks (
  id bigint generated always as identity primary key,
  hook_table_id bigint not null,
  hook_name text not null,
  created_at timestamptz not null default now(),
  request_id bigint
);
create index if not exists hooks_table_name on supabase_functions.hooks (hook_table_id, hook_name, id desc);
create index if not exists hooks_created on supabase_functions.hooks (created_at);

create or replace function net._urlencode_string(string varchar) returns text
language sql immutable strict set search_path = pg_catalog as $$
  select coalesce(string_agg(
    case when part ~ '^[A-Za-z0-9_.~-]$' then part
      else regexp_replace(upper(encode(convert_to(part, 'UTF8'), 'hex')), '(..)', '%\1', 'g') end,
    '' order by place), '')
  from regexp_split_to_table(string, '') with ordinality as parts (part, place)
$$;

create or replace function net._enqueue(method text, url text, params jsonb, headers jsonb, body text, timeout_milliseconds integer)
returns bigint language plpgsql security definer set search_path = pg_catalog as $$
declare
  query text;
  request_id bigint;
begin
  if url is null then
    raise exception 'A request needs a url' using errcode = '22004';
  end if;
  select string_agg(net._urlencode_string(key) || '=' || net._urlencode_string(coalesce(value, '')), '&')
  into query from jsonb_each_text(case jsonb_typeof(params) when 'object' then params else '{}' end);
  insert into net.http_request_queue (method, url, headers, body, timeout_milliseconds)
  values (
    method,
    url || case when query is null then '' when position('?' in url) > 0 then '&' || query else '?' || query end,
    case jsonb_typeof(headers) when 'object' then headers else '{}' end,
    body,
    greatest(1, least(coalesce(timeout_milliseconds, 5000), 30000))
  ) returning id into request_id;
  perform pg_notify('plinth_net', '');
  return request_id;
end
$$;

create or replace function net.http_get(url text, params jsonb default '{}', headers jsonb default '{}', timeout_milliseconds integer default 5000)
returns bigint language sql set search_path = pg_catalog as $$
  select net._enqueue('GET', url, params, headers, null, timeout_milliseconds)
$$;
create or replace function net.http_post(url text, body jsonb default '{}', params jsonb default '{}', headers jsonb default '{"Content-Type": "application/json"}', timeout_milliseconds integer default 5000)
returns bigint language sql set search_path = pg_catalog as $$
  select net._enqueue('POST', url, params, headers, body::text, timeout_milliseconds)
$$;
create or replace function net.http_delete(url text, params jsonb default '{}', headers jsonb default '{}', timeout_milliseconds integer default 5000, body jsonb default null)
returns bigint language sql set search_path = pg_catalog as $$
  select net._enqueue('DELETE', url, params, headers, body::text, timeout_milliseconds)
$$;
-- Calls go out in the name of the project, so only its owner and its services begin one.
revoke all on all functions in schema net from public;
grant execute on all functions in schema net to service_role;

-- The trigger of a webhook: address, method, headers, parameters, milliseconds. Whoever changes a row needs no right to any of it.
create or replace function supabase_functions.http_request() returns trigger
language plpgsql security definer set search_path = pg_catalog as $$
declare
  method text := upper(coalesce(nullif(tg_argv[1], 'null'), 'POST'));
  headers jsonb := coalesce(nullif(tg_argv[2], 'null'), '{"Content-Type": "application/json"}')::jsonb;
  params jsonb := coalesce(nullif(tg_argv[3], 'null'), '{}')::jsonb;
  patience integer := coalesce(nullif(tg_argv[4], 'null'), '5000')::integer;
  request_id bigint;
begin
  if tg_argv[0] is null or tg_argv[0] = 'null' then
    raise exception 'A webhook needs a url';
  elsif method not in ('GET', 'POST') then
    raise exception 'A webhook cannot use the method %', method;
  end if;
  request_id := net._enqueue(
    method, tg_argv[0], params, headers,
    case method when 'POST' then jsonb_build_object(
      'type', tg_op, 'table', tg_table_name, 'schema', tg_table_schema,
      'record', case when tg_op = 'DELETE' then null else to_jsonb(new) end,
      'old_record', case when tg_op = 'INSERT' then null else to_jsonb(old) end
    )::text end,
    patience);
  insert into supabase_functions.hooks (hook_table_id, hook_name, request_id) values (tg_relid, tg_name, request_id);
  -- Nobody looks at it after the change; before it, null would take the row away.
  return coalesce(new, old);
end
$$;
revoke all on all functions in schema supabase_functions from public;
