-- The public names of http. A statement that waits for a foreign server keeps its locks meanwhile, and could reach the inner
-- network: requests are refused, and the error names the function of pg_net that sends the same after the commit.

create domain @extschema@.http_method as text;
create domain @extschema@.content_type as text
  check (value operator(pg_catalog.~) '^\S+/\S+');

create type @extschema@.http_header as (field varchar, value varchar);
create type @extschema@.http_request as (
  method @extschema@.http_method, uri varchar, headers @extschema@.http_header[],
  content_type varchar, content varchar
);
create type @extschema@.http_response as (
  status integer, content_type varchar, headers @extschema@.http_header[], content varchar
);

create function @extschema@.http_header(field varchar, value varchar) returns @extschema@.http_header
language sql immutable set search_path = pg_catalog as $$
  select (field, value)::@extschema@.http_header
$$;

create function @extschema@.text_to_bytea(data text) returns bytea
language sql immutable strict set search_path = pg_catalog as $$
  select convert_to(data, 'utf8')
$$;

create function @extschema@.bytea_to_text(data bytea) returns text
language sql immutable strict set search_path = pg_catalog as $$
  select convert_from(data, 'utf8')
$$;

-- Each byte that is no letter, digit, "-", ".", "_" or "~" becomes a percent sign and two digits.
create function @extschema@.urlencode(string bytea) returns text
language sql immutable strict set search_path = pg_catalog as $$
  select coalesce(string_agg(
    case
      when byte between 48 and 57 or byte between 65 and 90 or byte between 97 and 122 or byte in (45, 46, 95, 126)
        then chr(byte)
      else '%' || upper(lpad(to_hex(byte), 2, '0'))
    end, '' order by at), '')
  from (select at, get_byte(string, at) as byte from generate_series(0, length(string) - 1) as at) as bytes
$$;

create function @extschema@.urlencode(string varchar) returns text
language sql immutable strict set search_path = pg_catalog as $$
  select @extschema@.urlencode(convert_to(string, 'utf8'))
$$;

create function @extschema@.urlencode(data jsonb) returns text
language sql immutable strict set search_path = pg_catalog as $$
  select string_agg(
    @extschema@.urlencode(key::varchar) || '=' || coalesce(@extschema@.urlencode(value::varchar), ''), '&' order by place)
  from jsonb_each_text(data) with ordinality as pairs (key, value, place)
$$;

-- `instead`: what sends such a request.
create function @extschema@.http_refusal(name text, instead text) returns @extschema@.http_response
language plpgsql set search_path = pg_catalog as $$
begin
  raise exception '% cannot send a request from within a statement', name using
    errcode = '0A000',
    detail = 'The statement would wait for another server and keep its locks meanwhile.',
    hint = instead;
end
$$;

create function @extschema@.http(request @extschema@.http_request) returns @extschema@.http_response
language sql set search_path = pg_catalog as $$
  select @extschema@.http_refusal('http', case upper((request).method)
    when 'GET' then 'Use net.http_get(url, params, headers, timeout_milliseconds) of the extension pg_net.'
    when 'POST' then 'Use net.http_post(url, body, params, headers, timeout_milliseconds) of the extension pg_net.'
    when 'DELETE' then 'Use net.http_delete(url, params, headers, timeout_milliseconds) of the extension pg_net.'
    else 'Call it from an edge function, which net.http_post of the extension pg_net can start.'
  end)
$$;

create function @extschema@.http_get(uri varchar) returns @extschema@.http_response
language sql set search_path = pg_catalog as $$
  select @extschema@.http_refusal('http_get',
    'Use net.http_get(url, params, headers, timeout_milliseconds) of the extension pg_net.')
$$;
create function @extschema@.http_get(uri varchar, data jsonb) returns @extschema@.http_response
language sql set search_path = pg_catalog as $$ select @extschema@.http_get(uri) $$;

create function @extschema@.http_post(uri varchar, content varchar, content_type varchar)
returns @extschema@.http_response
language sql set search_path = pg_catalog as $$
  select @extschema@.http_refusal('http_post',
    'Use net.http_post(url, body, params, headers, timeout_milliseconds) of the extension pg_net.')
$$;
create function @extschema@.http_post(uri varchar, data jsonb) returns @extschema@.http_response
language sql set search_path = pg_catalog as $$ select @extschema@.http_post(uri, null, null) $$;

create function @extschema@.http_delete(uri varchar) returns @extschema@.http_response
language sql set search_path = pg_catalog as $$
  select @extschema@.http_refusal('http_delete',
    'Use net.http_delete(url, params, headers, timeout_milliseconds) of the extension pg_net.')
$$;
create function @extschema@.http_delete(uri varchar, content varchar, content_type varchar)
returns @extschema@.http_response
language sql set search_path = pg_catalog as $$ select @extschema@.http_delete(uri) $$;

create function @extschema@.http_put(uri varchar, content varchar, content_type varchar)
returns @extschema@.http_response
language sql set search_path = pg_catalog as $$
  select @extschema@.http_refusal('http_put',
    'Call it from an edge function, which net.http_post of the extension pg_net can start.')
$$;

create function @extschema@.http_patch(uri varchar, content varchar, content_type varchar)
returns @extschema@.http_response
language sql set search_path = pg_catalog as $$
  select @extschema@.http_refusal('http_patch',
    'Call it from an edge function, which net.http_post of the extension pg_net can start.')
$$;

create function @extschema@.http_head(uri varchar) returns @extschema@.http_response
language sql set search_path = pg_catalog as $$
  select @extschema@.http_refusal('http_head',
    'Call it from an edge function, which net.http_post of the extension pg_net can start.')
$$;

-- Options of a request. They are kept for the session, so that scripts that set them run; no request reads them.
create function @extschema@.http_curlopts() returns text[]
language sql immutable set search_path = pg_catalog as $$
  select '{CURLOPT_ACCEPT_ENCODING,CURLOPT_CAINFO,CURLOPT_CONNECTTIMEOUT,CURLOPT_CONNECTTIMEOUT_MS,CURLOPT_DNS_SERVERS,CURLOPT_PASSWORD,CURLOPT_PRE_PROXY,CURLOPT_PROXY,CURLOPT_PROXYPASSWORD,CURLOPT_PROXYPORT,CURLOPT_PROXYUSERNAME,CURLOPT_PROXYUSERPWD,CURLOPT_PROXY_TLSAUTH_PASSWORD,CURLOPT_PROXY_TLSAUTH_TYPE,CURLOPT_PROXY_TLSAUTH_USERNAME,CURLOPT_SSLCERT,CURLOPT_SSLCERTTYPE,CURLOPT_SSLKEY,CURLOPT_SSL_VERIFYHOST,CURLOPT_SSL_VERIFYPEER,CURLOPT_TCP_KEEPALIVE,CURLOPT_TCP_KEEPIDLE,CURLOPT_TIMEOUT,CURLOPT_TIMEOUT_MS,CURLOPT_TLSAUTH_PASSWORD,CURLOPT_TLSAUTH_TYPE,CURLOPT_TLSAUTH_USERNAME,CURLOPT_USERAGENT,CURLOPT_USERNAME,CURLOPT_USERPWD}'::text[]
$$;

create function @extschema@.http_set_curlopt(curlopt varchar, value varchar) returns boolean
language plpgsql set search_path = pg_catalog as $$
begin
  if not coalesce(upper(curlopt) = any (@extschema@.http_curlopts()), false) then
    raise exception 'there is no option "%"', curlopt using errcode = '22023', hint = 'http_list_curlopt() lists those that are set.';
  end if;
  perform set_config('http.' || lower(curlopt), coalesce(value, ''), false);
  return true;
end
$$;

create function @extschema@.http_reset_curlopt() returns boolean
language plpgsql set search_path = pg_catalog as $$
declare name text;
begin
  foreach name in array @extschema@.http_curlopts() loop
    perform set_config('http.' || lower(name), '', false);
  end loop;
  return true;
end
$$;

create function @extschema@.http_list_curlopt() returns table (curlopt text, value text)
language sql stable set search_path = pg_catalog as $$
  select name, current_setting('http.' || lower(name), true)
  from unnest(@extschema@.http_curlopts()) as name
  where coalesce(current_setting('http.' || lower(name), true), '') <> ''
$$;
