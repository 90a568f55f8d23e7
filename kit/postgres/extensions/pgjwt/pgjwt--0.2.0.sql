-- Signing and reading of JSON Web Tokens with a shared secret (HS256, HS384, HS512), by the public names of pgjwt.

create function @extschema@.url_encode(data bytea) returns text
language sql immutable set search_path = pg_catalog as $$
  select translate(encode(data, 'base64'), E'+/=\n', '-_')
$$;

create function @extschema@.url_decode(data text) returns bytea
language sql immutable set search_path = pg_catalog as $$
  with plain as (select translate(data, '-_', '+/') as text)
  select decode(text || repeat('=', (4 - length(text) % 4) % 4), 'base64') from plain
$$;

create function @extschema@.algorithm_sign(signables text, secret text, algorithm text) returns text
language sql immutable set search_path = pg_catalog as $$
  select @extschema@.url_encode(@extschema:pgcrypto@.hmac(
    signables, secret, case algorithm when 'HS256' then 'sha256' when 'HS384' then 'sha384' when 'HS512' then 'sha512' else '' end
  ))
$$;

create function @extschema@.sign(payload json, secret text, algorithm text default 'HS256') returns text
language sql immutable set search_path = pg_catalog as $$
  with signables as (
    select @extschema@.url_encode(convert_to('{"alg":"' || algorithm || '","typ":"JWT"}', 'utf8')) || '.'
      || @extschema@.url_encode(convert_to(payload::text, 'utf8')) as text
  )
  select text || '.' || @extschema@.algorithm_sign(text, secret, algorithm) from signables
$$;

create function @extschema@.try_cast_double(inp text) returns double precision
language plpgsql immutable set search_path = pg_catalog as $$
begin
  return inp::double precision;
exception when invalid_text_representation or numeric_value_out_of_range then
  return null;
end
$$;

-- `valid`: signed with this secret, and now is between the times of `nbf` and `exp` where it has them.
create function @extschema@.verify(token text, secret text, algorithm text default 'HS256')
returns table (header json, payload json, valid boolean)
language sql immutable set search_path = pg_catalog as $$
  with parts as (select string_to_array(token, '.') as part),
  read as (
    select
      convert_from(@extschema@.url_decode(part[1]), 'utf8')::json as header,
      convert_from(@extschema@.url_decode(part[2]), 'utf8')::json as payload,
      part[3] = @extschema@.algorithm_sign(part[1] || '.' || part[2], secret, algorithm) as signed
    from parts
  )
  select header, payload, signed and tstzrange(
    to_timestamp(@extschema@.try_cast_double(payload ->> 'nbf')),
    to_timestamp(@extschema@.try_cast_double(payload ->> 'exp'))
  ) @> current_timestamp
  from read
$$;
