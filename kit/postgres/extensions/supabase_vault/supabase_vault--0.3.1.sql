-- Secrets that lie encrypted, by the public names of supabase_vault. They are sealed and opened by functions of the platform
-- (data-plane/schema/018-vault.sql), which have the key; here is who may have that done.

create table vault.secrets (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  name text,
  description text not null default '',
  secret text not null,
  key_id uuid,
  nonce bytea,
  created_at timestamptz not null default current_timestamp,
  updated_at timestamptz not null default current_timestamp
);
comment on table vault.secrets is 'Table with encrypted `secret` column for storing sensitive information on disk.';
create unique index secrets_name_idx on vault.secrets (name) where name is not null;
select pg_catalog.pg_extension_config_dump('vault.secrets', '');

create function vault._crypto_aead_det_noncegen() returns bytea
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  return extensions.plinth_vault_nonce();
end
$$;
alter table vault.secrets alter column nonce set default vault._crypto_aead_det_noncegen();

-- A project has one key, whatever is given as `key_id` and `context`; which one has sealed a message stands in the message.
create function vault._crypto_aead_det_encrypt(
  message bytea, additional bytea, key_id bigint, context bytea default 'pgsodium', nonce bytea default null
) returns bytea
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  return extensions.plinth_vault_seal(message, additional, nonce);
end
$$;
create function vault._crypto_aead_det_decrypt(
  message bytea, additional bytea, key_id bigint, context bytea default 'pgsodium', nonce bytea default null
) returns bytea
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  return extensions.plinth_vault_open(message, additional, nonce);
end
$$;

create function vault._seal(id uuid, nonce bytea, secret text) returns text
language plpgsql volatile set search_path = pg_catalog, pg_temp as $$
begin
  return replace(
    encode(extensions.plinth_vault_seal(convert_to(secret, 'utf8'), convert_to(id::text, 'utf8'), nonce), 'base64'), E'\n', ''
  );
end
$$;

-- What is written into the table in plain text is sealed on its way. What is sealed already comes from a dump.
create function vault._seal_secret() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if new.secret ~ '^UFYx[A-Za-z0-9+/]{84,}={0,2}$' and length(new.secret) % 4 = 0
    and extensions.plinth_vault_key_of(decode(new.secret, 'base64')) is not null
  then
    return new;
  end if;
  new.nonce := extensions.plinth_vault_nonce();
  new.secret := vault._seal(new.id, new.nonce, new.secret);
  return new;
end
$$;
create trigger seal_secret before insert or update of secret on vault.secrets
for each row execute function vault._seal_secret();
-- Also where a session has other triggers wait (session_replication_role).
alter table vault.secrets enable always trigger seal_secret;

create view vault.decrypted_secrets as
select s.id, s.name, s.description, s.secret,
  pg_catalog.convert_from(
    vault._crypto_aead_det_decrypt(
      message := pg_catalog.decode(s.secret, 'base64'), additional := pg_catalog.convert_to(s.id::text, 'utf8'),
      key_id := 0, nonce := s.nonce
    ), 'utf8'
  ) as decrypted_secret,
  s.key_id, s.nonce, s.created_at, s.updated_at
from vault.secrets s;

-- Sealed within the statement that writes, which holds a lock on the table by then: a change of the key waits for it.
create function vault.create_secret(
  new_secret text, new_name text default null, new_description text default '', new_key_id uuid default null
) returns uuid
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  new_id constant uuid := gen_random_uuid();
  new_nonce constant bytea := extensions.plinth_vault_nonce();
begin
  insert into vault.secrets (id, name, description, nonce, secret)
  values (new_id, new_name, new_description, new_nonce, vault._seal(new_id, new_nonce, new_secret));
  return new_id;
end
$$;

create function vault.update_secret(
  secret_id uuid, new_secret text default null, new_name text default null, new_description text default null,
  new_key_id uuid default null
) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  new_nonce constant bytea := extensions.plinth_vault_nonce();
begin
  update vault.secrets s set
    name = coalesce(new_name, s.name),
    description = coalesce(new_description, s.description),
    nonce = case when new_secret is null then s.nonce else new_nonce end,
    secret = case when new_secret is null then s.secret else vault._seal(s.id, new_nonce, new_secret) end,
    updated_at = now()
  where s.id = secret_id;
end
$$;

revoke all on all functions in schema vault from public;
revoke all on vault.secrets, vault.decrypted_secrets from public, anon, authenticated;
grant usage on schema vault to service_role;
grant select, delete on vault.secrets, vault.decrypted_secrets to service_role;
grant execute on function vault.create_secret, vault.update_secret, vault._crypto_aead_det_decrypt to service_role;
