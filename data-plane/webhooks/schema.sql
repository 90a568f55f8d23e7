-- Webhooks: the trigger function that people name in SQL, what is known of each hook, and its calls with every attempt. The platform
-- takes a call when the transaction has been committed; nothing waits for its answer. Run as `postgres` when webhooks are enabled;
-- all of this can run again.

create extension if not exists pg_net with schema extensions;
create schema if not exists supabase_functions;

create table if not exists supabase_functions.hooks (
  id bigint generated always as identity primary key,
  hook_table_id bigint not null,
  hook_name text not null,
  created_at timestamptz not null default now(),
  request_id bigint
);
create index if not exists hooks_table_name on supabase_functions.hooks (hook_table_id, hook_name, id desc);
create index if not exists hooks_created on supabase_functions.hooks (created_at);

-- How the calls of a hook are made. One that has no row here is called once, and waits for no other.
create table if not exists supabase_functions.hook_settings (
  hook_table regclass not null,
  hook_name name not null,
  max_attempts integer not null default 1 check (max_attempts between 1 and 20),
  -- Seconds before the second attempt; the wait doubles with each.
  first_wait integer not null default 5 check (first_wait between 1 and 3600),
  -- Calls at once.
  concurrency integer not null default 32 check (concurrency between 1 and 32),
  -- Columns by whose values calls keep their order; none of them: all calls of the hook do. Null: no order.
  order_by name[],
  -- While it is, calls wait.
  paused boolean not null default false,
  -- Which of the signing secrets, that the platform keeps; null: calls are not signed.
  secret_id text check (length(secret_id) <= 100),
  primary key (hook_table, hook_name)
);

create table if not exists supabase_functions.deliveries (
  id bigint generated always as identity primary key,
  -- What receivers know a call by, however often it comes.
  webhook_id text not null default 'msg_' || replace(gen_random_uuid()::text, '-', ''),
  hook_table oid not null,
  hook_name name not null,
  method text not null,
  url text not null,
  headers jsonb not null,
  body text,
  timeout_milliseconds integer not null,
  -- Of the calls of a hook with the same one, each waits for the one before.
  order_key text,
  -- A dead one is not tried any more, unless somebody replays it.
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'dead')),
  attempts integer not null default 0,
  -- Attempts before it was replayed.
  replayed_after integer not null default 0,
  -- "infinity": when the one of its key before it has ended.
  due_at timestamptz not null default now(),
  -- When somebody began to send it; one who died is followed by another a minute later.
  taken_at timestamptz,
  created_at timestamptz not null default now(),
  ended_at timestamptz
);
create index if not exists deliveries_hook on supabase_functions.deliveries (hook_table, hook_name, id desc);
create index if not exists deliveries_state on supabase_functions.deliveries (hook_table, hook_name, state, id desc);
create index if not exists deliveries_waiting on supabase_functions.deliveries (hook_table, hook_name, due_at, id) where state = 'waiting';
create index if not exists deliveries_taken on supabase_functions.deliveries (hook_table, hook_name) where state = 'waiting' and taken_at is not null;
create index if not exists deliveries_order on supabase_functions.deliveries (hook_table, hook_name, order_key, id) where state = 'waiting' and order_key is not null;
create index if not exists deliveries_ended on supabase_functions.deliveries (state, ended_at) where state <> 'waiting';

create table if not exists supabase_functions.delivery_attempts (
  delivery_id bigint not null references supabase_functions.deliveries on delete cascade,
  attempt integer not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  status_code integer,
  headers jsonb,
  -- The beginning of what was answered.
  content text,
  timed_out boolean not null,
  error_msg text,
  primary key (delivery_id, attempt)
);

-- The project whose hooks these are. In a copy of it they are paused before anything is sent.
create table if not exists supabase_functions._project (ref text primary key);

-- Who sees rows of a table may see what it called with them; nobody else does.
revoke all on all tables in schema supabase_functions from public, anon, authenticated, service_role;

-- The trigger of a webhook: address, method, headers, parameters, milliseconds. Whoever changes a row needs no right to any of it.
-- A plan that was made while the table of calls was small is kept for a statement of many rows, so it must be one by the index.
create or replace function supabase_functions.http_request() returns trigger
language plpgsql security definer set search_path = pg_catalog set enable_seqscan = off as $$
declare
  method constant text := upper(coalesce(nullif(tg_argv[1], 'null'), 'POST'));
  headers constant jsonb := coalesce(nullif(tg_argv[2], 'null'), '{"Content-Type": "application/json"}')::jsonb;
  params constant jsonb := coalesce(nullif(tg_argv[3], 'null'), '{}')::jsonb;
  patience constant integer := coalesce(nullif(tg_argv[4], 'null'), '5000')::integer;
  query text;
  columns name[];
  kept_in text;
  call_id bigint;
begin
  if tg_argv[0] is null or tg_argv[0] = 'null' then
    raise exception 'A webhook needs a url';
  elsif method not in ('GET', 'POST') then
    raise exception 'A webhook cannot use the method %', method;
  elsif tg_table_schema = 'supabase_functions' then
    -- Each call would be told of by a call that is told of by another, each twice as long.
    raise exception 'A webhook cannot be called for the calls of webhooks';
  end if;
  select string_agg(supabase_functions._encoded(key) || '=' || supabase_functions._encoded(coalesce(value, '')), '&')
  into query from jsonb_each_text(case jsonb_typeof(params) when 'object' then params else '{}' end);
  select s.order_by into columns from supabase_functions.hook_settings s
  where s.hook_table = tg_relid and s.hook_name = tg_name;
  kept_in := case when columns is not null then md5(coalesce((
    select jsonb_agg(to_jsonb(coalesce(new, old)) -> named::text order by place)
    from unnest(columns) with ordinality as c (named, place)
  )::text, '')) end;
  insert into supabase_functions.deliveries
    (hook_table, hook_name, method, url, headers, body, timeout_milliseconds, order_key, due_at)
  values (
    tg_relid,
    tg_name,
    method,
    tg_argv[0] || case when query is null then '' when position('?' in tg_argv[0]) > 0 then '&' || query else '?' || query end,
    case jsonb_typeof(headers) when 'object' then headers else '{}' end,
    case method when 'POST' then jsonb_build_object(
      'type', tg_op, 'table', tg_table_name, 'schema', tg_table_schema,
      'record', case when tg_op = 'DELETE' then null else to_jsonb(new) end,
      'old_record', case when tg_op = 'INSERT' then null else to_jsonb(old) end
    )::text end,
    greatest(1, least(patience, 30000)),
    kept_in,
    case when kept_in is not null and exists (
      select from supabase_functions.deliveries d
      where d.hook_table = tg_relid and d.hook_name = tg_name and d.order_key = kept_in and d.state = 'waiting'
    ) then 'infinity' else now() end
  ) returning id into call_id;
  insert into supabase_functions.hooks (hook_table_id, hook_name, request_id) values (tg_relid, tg_name, call_id);
  perform pg_notify('plinth_hooks', '');
  -- Nobody looks at it after the change; before it, null would take the row away.
  return coalesce(new, old);
end
$$;

create or replace function supabase_functions._encoded(part text) returns text
language sql immutable strict set search_path = pg_catalog as $$
  select coalesce(string_agg(
    case when letter ~ '^[A-Za-z0-9_.~-]$' then letter
      else regexp_replace(upper(encode(convert_to(letter, 'UTF8'), 'hex')), '(..)', '%\1', 'g') end,
    '' order by place), '')
  from regexp_split_to_table(part, '') with ordinality as letters (letter, place)
$$;
revoke all on all functions in schema supabase_functions from public;
