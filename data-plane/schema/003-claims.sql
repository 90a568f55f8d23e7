-- Who is asking? The services put the verified claims of a request into `request.jwt.claims` (JSON) for one transaction;
-- `request.jwt.claim.<name>` is the older form that some tools still set. Stable and plain SQL, so policies inline them.

set role supabase_auth_admin;

create function auth.jwt() returns jsonb language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claims', true), ''),
    nullif(current_setting('request.jwt.claim', true), '')
  )::jsonb
$$;

create function auth.uid() returns uuid language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub',
    nullif(current_setting('request.jwt.claim.sub', true), '')
  )::uuid
$$;

create function auth.role() returns text language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role',
    nullif(current_setting('request.jwt.claim.role', true), '')
  )
$$;

create function auth.email() returns text language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email',
    nullif(current_setting('request.jwt.claim.email', true), '')
  )
$$;

comment on function auth.uid() is 'The id of the user who makes the request, or null.';
comment on function auth.role() is 'The role the request runs as, from its token.';
comment on function auth.jwt() is 'All claims of the request''s token.';
comment on function auth.email() is 'The e-mail address of the user who makes the request, or null.';

reset role;
