-- A person's own things: access tokens, and an account that has ended.

create table platform.access_tokens (
  id bigint generated always as identity primary key,
  user_id uuid not null references platform.profiles (user_id),
  name text not null,
  -- SHA-256 of the token in hex: 160 random bits need no slow hash.
  token_hash text not null unique,
  -- First and last characters, for lists.
  token_alias text not null,
  expires_at timestamptz,
  -- Written at most once a minute.
  last_used_at timestamptz,
  inserted_at timestamptz not null default now()
);
create index access_tokens_user on platform.access_tokens (user_id, id desc);

-- A profile outlives its account for what refers to it (shared snippets, audit entries), without a word about the person.
alter table platform.profiles add column deleted_at timestamptz;

-- What one person did, newest first.
create index audit_actor on platform.audit_entries (actor_id, id desc);
