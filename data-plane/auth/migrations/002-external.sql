-- What the auth service keeps of sign-ins at other places, beyond the tables that clients know (schema.sql). Can run again.

create table if not exists auth.oauth_client_states (
  id uuid primary key,
  state_hash text not null unique,
  provider_type text not null,
  sso_provider_id uuid references auth.sso_providers (id) on delete cascade,
  redirect_to text not null,
  code_challenge text,
  code_challenge_method auth.code_challenge_method,
  linking_user_id uuid references auth.users (id) on delete cascade,
  linking_session_id uuid references auth.sessions (id) on delete cascade,
  browser_hash text,
  created_at timestamptz not null
);
comment on column auth.oauth_client_states.state_hash is 'SHA-256 of the state, which only the browser has';
create index if not exists oauth_client_states_created_at_idx on auth.oauth_client_states (created_at);
create index if not exists oauth_client_states_linking_idx on auth.oauth_client_states (linking_session_id);

-- Single sign-on by OpenID Connect, beside the SAML of saml_providers.
create table if not exists auth.sso_oidc_providers (
  sso_provider_id uuid primary key references auth.sso_providers (id) on delete cascade,
  issuer text not null check (char_length(issuer) > 0),
  client_id text not null check (char_length(client_id) > 0),
  sealed_client_secret text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- Which provider an answer belongs to follows from its request, so two organizations may use one provider. The service
-- key of a project can still not add one twice.
alter table auth.saml_providers drop constraint if exists saml_providers_entity_id_key;

alter table auth.saml_relay_states add column if not exists browser_hash text;

do $$
declare
  item text;
  client text;
begin
  foreach item in array array['oauth_client_states', 'sso_oidc_providers'] loop
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

