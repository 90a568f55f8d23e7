-- What seals and opens the secrets of a vault (the extension supabase_vault, which is the customer's). The key is in no table: it is
-- a file beside the server's configuration that compute lays there (compute/local/vault/vault-keys.ts), and only these functions read it.
-- None of them returns it, and none has it in a variable: whoever prints plans (debug_print_plan) sees the values of those.
--
-- In `extensions`, which dumps leave out. Customers make functions there, too, so each argument has its exact type, with which no
-- other function of the name is meant; and types, which they make in pg_temp, are looked for there last. All of this can run again.

-- Of pgcrypto, whoever has that extension now.
create or replace function extensions.plinth_vault_hmac(bytea, bytea, text) returns bytea
  language c immutable strict parallel safe as '$libdir/pgcrypto', 'pg_hmac';
create or replace function extensions.plinth_vault_encrypt(bytea, bytea, bytea, text) returns bytea
  language c immutable strict parallel safe as '$libdir/pgcrypto', 'pg_encrypt_iv';
create or replace function extensions.plinth_vault_decrypt(bytea, bytea, bytea, text) returns bytea
  language c immutable strict parallel safe as '$libdir/pgcrypto', 'pg_decrypt_iv';
create or replace function extensions.plinth_vault_random(integer) returns bytea
  language c volatile strict parallel safe as '$libdir/pgcrypto', 'pg_random_bytes';

create or replace function extensions.plinth_vault_nonce() returns bytea
language plpgsql volatile set search_path = pg_catalog, pg_temp as $$
begin
  return extensions.plinth_vault_random(16);
end
$$;

-- Where only the platform writes, and the server reads.
create or replace function extensions.plinth_vault_file(name text) returns text
language plpgsql volatile set search_path = pg_catalog, pg_temp as $$
begin
  return regexp_replace(current_setting('hba_file'), '[^/]*$', 'vault/') || name;
end
$$;

-- A key for one purpose; null where the key that it is made of is not here.
create or replace function extensions.plinth_vault_derived(key_id uuid, purpose text) returns bytea
language plpgsql volatile set search_path = pg_catalog, pg_temp as $$
begin
  return extensions.plinth_vault_hmac(
    convert_to(purpose, 'utf8'), pg_read_binary_file(extensions.plinth_vault_file(key_id::text), 0, 32, true), 'sha256'::text
  );
end
$$;

-- What nobody can make without the key. Each part is told from the next by its length.
create or replace function extensions.plinth_vault_tag(key_id uuid, additional bytea, nonce bytea, body bytea) returns bytea
language plpgsql volatile set search_path = pg_catalog, pg_temp as $$
begin
  return extensions.plinth_vault_hmac(
    uuid_send(key_id) || int4send(length(additional)) || additional || int4send(length(nonce)) || nonce || body,
    extensions.plinth_vault_derived(key_id, 'plinth vault 1 authenticate'::text), 'sha256'::text
  );
end
$$;

-- Sealed is `PV1`, the id of the key, the tag, and what was encrypted. Which key that was; null where it is not sealed.
create or replace function extensions.plinth_vault_key_of(message bytea) returns uuid
language plpgsql immutable set search_path = pg_catalog, pg_temp as $$
begin
  if substr(message, 1, 3) = convert_to('PV1', 'utf8') and length(message) >= 67 and (length(message) - 51) % 16 = 0 then
    return encode(substr(message, 4, 16), 'hex')::uuid;
  end if;
  return null;
end
$$;

-- Whether it is as it was sealed, for this owner and by a key that is here. What is compared is blinded, so that how long that
-- takes tells nothing.
create or replace function extensions.plinth_vault_is_whole(message bytea, additional bytea, nonce bytea) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  blind constant bytea := extensions.plinth_vault_random(32);
begin
  return coalesce(
    extensions.plinth_vault_hmac(substr(message, 20, 32), blind, 'sha256'::text) = extensions.plinth_vault_hmac(
      extensions.plinth_vault_tag(extensions.plinth_vault_key_of(message), additional, nonce, substr(message, 52)),
      blind, 'sha256'::text
    ), false
  );
end
$$;

-- `additional` says whose the secret is: it opens there and nowhere else.
create or replace function extensions.plinth_vault_seal(secret bytea, additional bytea, nonce bytea) returns bytea
language plpgsql volatile strict security definer set search_path = pg_catalog, pg_temp as $$
declare
  key_id constant uuid := pg_read_file(extensions.plinth_vault_file('current'::text), 0, 36, true);
  body bytea;
begin
  if length(nonce) <> 16 then
    raise exception 'The nonce of a secret has 16 bytes' using errcode = '22023';
  end if;
  body := extensions.plinth_vault_encrypt(
    secret, extensions.plinth_vault_derived(key_id, 'plinth vault 1 encrypt'::text), nonce, 'aes-cbc/pad:pkcs'::text
  );
  if body is null then
    raise exception 'This server has no key for the vault' using errcode = '55000',
      hint = 'The platform gives a server its key when it starts. Restart the project.';
  end if;
  return convert_to('PV1', 'utf8') || uuid_send(key_id)
    || extensions.plinth_vault_tag(key_id, additional, nonce, body) || body;
end
$$;

create or replace function extensions.plinth_vault_open(message bytea, additional bytea, nonce bytea) returns bytea
language plpgsql volatile strict security definer set search_path = pg_catalog, pg_temp as $$
declare
  key_id constant uuid := extensions.plinth_vault_key_of(message);
begin
  if key_id is null then
    raise exception 'The secret % is not sealed', convert_from(additional, 'utf8') using errcode = '22000';
  end if;
  if (pg_stat_file(extensions.plinth_vault_file(key_id::text), true)).size is null then
    raise exception 'The secret % was sealed with a key that this project does not have', convert_from(additional, 'utf8')
      using errcode = '22000',
      detail = 'It was sealed with the key of another project, or comes from a backup that is older than the keys of this one.',
      hint = 'Set its value again.';
  end if;
  if not extensions.plinth_vault_is_whole(message, additional, nonce) then
    raise exception 'The secret % was changed after it was sealed, or belongs to another row', convert_from(additional, 'utf8')
      using errcode = '22000', hint = 'Set its value again.';
  end if;
  return extensions.plinth_vault_decrypt(
    substr(message, 52), extensions.plinth_vault_derived(key_id, 'plinth vault 1 encrypt'::text), nonce,
    'aes-cbc/pad:pkcs'::text
  );
end
$$;

-- To nobody what gives a key, or something that is made of one.
revoke all on function extensions.plinth_vault_hmac, extensions.plinth_vault_encrypt, extensions.plinth_vault_decrypt,
  extensions.plinth_vault_random, extensions.plinth_vault_nonce, extensions.plinth_vault_file, extensions.plinth_vault_derived,
  extensions.plinth_vault_tag, extensions.plinth_vault_key_of, extensions.plinth_vault_is_whole, extensions.plinth_vault_seal,
  extensions.plinth_vault_open
from public, postgres, anon, authenticated, service_role, dashboard_user;
grant execute on function extensions.plinth_vault_random, extensions.plinth_vault_nonce, extensions.plinth_vault_key_of,
  extensions.plinth_vault_is_whole, extensions.plinth_vault_seal, extensions.plinth_vault_open
to postgres;

-- Migrations say `create extension supabase_vault with schema vault`, which has to be there then.
create schema if not exists vault authorization postgres;
grant usage on schema vault to plinth_read_only;
