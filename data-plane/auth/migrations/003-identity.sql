-- Passkeys, recovery codes, the OAuth server, custom providers and the key for SAML of the auth service. Can run again.

create table if not exists auth.webauthn_credentials (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  credential_id bytea not null unique,
  public_key bytea not null,
  attestation_type text not null default '',
  aaguid uuid,
  sign_count bigint not null default 0,
  transports jsonb not null default '[]',
  backup_eligible boolean not null default false,
  backed_up boolean not null default false,
  friendly_name text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index if not exists webauthn_credentials_user_id_idx on auth.webauthn_credentials (user_id);

create table if not exists auth.webauthn_challenges (
  id uuid primary key default gen_random_uuid(),
  user_id uuid references auth.users (id) on delete cascade,
  challenge_type text not null check (challenge_type in ('signup', 'registration', 'authentication')),
  session_data jsonb not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index if not exists webauthn_challenges_user_id_idx on auth.webauthn_challenges (user_id);
create index if not exists webauthn_challenges_expires_at_idx on auth.webauthn_challenges (expires_at);

-- Codes for whoever has lost their second factor: one row for a user, with the hashes of those that are left. `id` stands where the
-- id of a factor would.
create table if not exists auth.mfa_recovery_codes (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null unique references auth.users (id) on delete cascade,
  sealed_key text not null,
  code_hashes text[] not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
comment on column auth.mfa_recovery_codes.code_hashes is 'HMAC-SHA-256 by the sealed key';

-- Further places to sign in, which the holder of the service key names.
create table if not exists auth.custom_oauth_providers (
  id uuid primary key,
  provider_type text not null check (provider_type in ('oauth2', 'oidc')),
  identifier text not null unique,
  name text not null,
  client_id text not null,
  sealed_client_secret text not null,
  acceptable_client_ids text[] not null default '{}',
  scopes text[] not null default '{}',
  pkce_enabled boolean not null default true,
  attribute_mapping jsonb not null default '{}',
  authorization_params jsonb not null default '{}',
  enabled boolean not null default true,
  issuer text,
  skip_nonce_check boolean not null default false,
  authorization_url text,
  token_url text,
  userinfo_url text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- Messages of wallets that signed somebody in, until they are too old to do it again.
create table if not exists auth.web3_messages (
  message_hash text primary key,
  created_at timestamptz not null
);
create index if not exists web3_messages_created_at_idx on auth.web3_messages (created_at);

-- Apps that sign people in with their account here (OAuth 2.1).
create table if not exists auth.oauth_clients (
  id uuid primary key default gen_random_uuid(),
  client_secret_hash text,
  registration_type text not null check (registration_type in ('dynamic', 'manual')),
  client_type text not null check (client_type in ('public', 'confidential')),
  token_endpoint_auth_method text not null
    check (token_endpoint_auth_method in ('none', 'client_secret_basic', 'client_secret_post')),
  redirect_uris text[] not null,
  grant_types text[] not null,
  client_name text,
  client_uri text,
  logo_uri text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on column auth.oauth_clients.client_secret_hash is 'SHA-256 of a secret of 256 random bits';

alter table auth.sessions add column if not exists oauth_client_id uuid
  references auth.oauth_clients (id) on delete cascade;
alter table auth.sessions add column if not exists scopes text;
create index if not exists sessions_oauth_client_id_idx on auth.sessions (oauth_client_id);

create table if not exists auth.oauth_authorizations (
  id uuid primary key default gen_random_uuid(),
  authorization_id text not null unique,
  client_id uuid not null references auth.oauth_clients (id) on delete cascade,
  user_id uuid references auth.users (id) on delete cascade,
  redirect_uri text not null,
  scope text not null,
  state text,
  nonce text,
  code_challenge text not null,
  status text not null default 'pending' check (status in ('pending', 'approved', 'denied')),
  authorization_code text unique,
  session_id uuid references auth.sessions (id) on delete set null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  approved_at timestamptz,
  exchanged_at timestamptz
);
comment on column auth.oauth_authorizations.authorization_code is 'SHA-256 of the code, which only the app has';
comment on column auth.oauth_authorizations.session_id is 'What the code was traded for: it ends when the code comes again';
create index if not exists oauth_authorizations_expires_at_idx on auth.oauth_authorizations (expires_at);

create table if not exists auth.oauth_consents (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  client_id uuid not null references auth.oauth_clients (id) on delete cascade,
  scopes text not null,
  granted_at timestamptz not null default now(),
  revoked_at timestamptz,
  constraint oauth_consents_user_client_key unique (user_id, client_id)
);

-- The key that identity providers encrypt for us with; made when it is first wanted.
create table if not exists auth.saml_keys (
  id smallint primary key default 1 check (id = 1),
  sealed_private_key text not null,
  certificate text not null,
  created_at timestamptz not null default now()
);

do $$
declare
  item text;
  client text;
begin
  foreach item in array array[
    'webauthn_credentials', 'webauthn_challenges', 'oauth_clients', 'oauth_authorizations', 'oauth_consents',
    'web3_messages', 'custom_oauth_providers', 'saml_keys', 'mfa_recovery_codes'
  ] loop
    execute format('alter table auth.%I enable row level security', item);
    if exists (select from pg_roles where rolname = 'supabase_auth_admin' and pg_has_role(oid, 'member')) then
      execute format('alter table auth.%I owner to supabase_auth_admin', item);
    end if;
    foreach client in array array['postgres', 'dashboard_user'] loop
      if exists (select from pg_roles where rolname = client) then
        execute format('grant all on auth.%I to %I', item, client);
      end if;
    end loop;
  end loop;
end
$$;

