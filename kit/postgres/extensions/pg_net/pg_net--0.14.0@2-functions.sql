
create or replace function net._urlencode_string(string varchar) returns text
language sql immutable strict set search_path = pg_catalog as $$
  select coalesce(string_agg(
    case when part ~ '^[A-Za-z0-9_.~-]$' then part
      else regexp_replace(upper(encode(convert_to(part, 'UTF8'), 'hex')), '(..)', '%\1', 'g') end,
    '' order by place), '')
  from regexp_split_to_table(string, '') with ordinality as parts (part, place)
$$;

create or replace function net._encode_url_with_params_array(url text, params_array text[]) returns text
language sql immutable set search_path = pg_catalog as $$
  select url || case when cardinality(params_array) > 0
    then case when position('?' in url) > 0 then '&' else '?' end || array_to_string(params_array, '&') else '' end
$$;

-- Has what waits in the queue looked at when the transaction is committed.
create function net.wake() returns void
language sql set search_path = pg_catalog as $$
  select pg_notify('plinth_net', '')
$$;

-- The one who sends is a process of the platform, whose session holds this lock.
create function net._is_up() returns boolean
language sql stable set search_path = pg_catalog as $$
  select exists (
    select from pg_locks l join pg_database d on d.oid = l.database
    where d.datname = current_database() and l.locktype = 'advisory' and l.granted and l.objsubid = 1
      and (l.classid::bigint << 32 | l.objid::bigint) = hashtextextended('plinth_net', 0)
  )
$$;

create function net.check_worker_is_up() returns void
language plpgsql set search_path = pg_catalog as $$
begin
  if not net._is_up() then
    raise exception 'the pg_net background worker is not up'
      using detail = 'the pg_net background worker is down due to an internal error and cannot process requests',
        hint = 'make sure that you didn''t modify any of pg_net internal tables';
  end if;
end
$$;

create function net.wait_until_running() returns void
language plpgsql set search_path = pg_catalog as $$
begin
  for look in 1..500 loop
    exit when net._is_up();
    perform pg_sleep(0.01);
  end loop;
  perform net.check_worker_is_up();
end
$$;

-- There is no process of the server to restart; the platform's looks again.
create function net.worker_restart() returns boolean
language sql set search_path = pg_catalog as $$
  select net.wake(); select true
$$;

create or replace function net._enqueue(method text, url text, params jsonb, headers jsonb, body text, timeout_milliseconds integer)
returns bigint language plpgsql security definer set search_path = pg_catalog as $$
declare
  pairs text[];
  request_id bigint;
begin
  if url is null then
    raise exception 'A request needs a url' using errcode = '22004';
  end if;
  select array_agg(net._urlencode_string(key) || '=' || net._urlencode_string(coalesce(value, '')))
  into pairs from jsonb_each_text(case jsonb_typeof(params) when 'object' then params else '{}' end);
  insert into net.http_request_queue (method, url, headers, body, timeout_milliseconds)
  values (
    method,
    net._encode_url_with_params_array(url, pairs),
    case jsonb_typeof(headers) when 'object' then headers else '{}' end,
    convert_to(body, 'UTF8'),
    greatest(1, least(coalesce(timeout_milliseconds, 5000), 30000))
  ) returning id into request_id;
  perform net.wake();
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

create function net._await_response(request_id bigint) returns boolean
language plpgsql set search_path = pg_catalog as $$
begin
  while not exists (select from net._http_response r where r.id = request_id) loop
    perform pg_sleep(0.05);
  end loop;
  return true;
end
$$;

create function net._http_collect_response(request_id bigint, async boolean default true) returns net.http_response_result
language plpgsql set search_path = pg_catalog as $$
declare
  answer net._http_response;
begin
  if not async then
    perform net._await_response(request_id);
  end if;
  select * into answer from net._http_response r where r.id = request_id;
  if answer.id is null then
    if exists (select from net.http_request_queue q where q.id = request_id) then
      return row('PENDING', 'request is pending processing', null)::net.http_response_result;
    end if;
    return row('ERROR', 'request matching request_id not found', null)::net.http_response_result;
  end if;
  if answer.error_msg is not null then
    return row('ERROR', answer.error_msg, null)::net.http_response_result;
  end if;
  return row('SUCCESS', 'ok', row(answer.status_code, answer.headers, answer.content)::net.http_response)::net.http_response_result;
end
$$;

create function net.http_collect_response(request_id bigint, async boolean default true) returns net.http_response_result
language plpgsql set search_path = pg_catalog as $$
begin
  raise notice 'The net.http_collect_response function is deprecated.';
  return net._http_collect_response(request_id, async);
end
$$;

-- Calls go out in the name of the project, so only its owner and its services begin one.
revoke all on all functions in schema net from public;
grant usage on schema net to service_role;
grant execute on function net._urlencode_string(varchar), net._encode_url_with_params_array(text, text[]), net.wake(), net._is_up(),
  net.check_worker_is_up(), net.wait_until_running(), net.worker_restart(),
  net._enqueue(text, text, jsonb, jsonb, text, integer), net.http_get(text, jsonb, jsonb, integer),
  net.http_post(text, jsonb, jsonb, jsonb, integer), net.http_delete(text, jsonb, jsonb, integer, jsonb) to service_role;
