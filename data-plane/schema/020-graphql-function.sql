-- The function by which clients reach GraphQL through the data API: rpc('graphql', ...) with the schema graphql_public. The data
-- plane answers that call itself, as the caller (data-plane/mount/graphql-call.ts). In a statement it can only say where GraphQL
-- is answered: the service works in another session, without what this transaction has written and the role that holds in it.
--
-- It calls nothing that a customer could have made, has nobody's rights but the caller's, and can run again.

create or replace function graphql_public.graphql(
  "operationName" text default null, query text default null, variables jsonb default null, extensions jsonb default null
) returns jsonb language sql stable set search_path = pg_catalog, pg_temp as $$
  select pg_catalog.jsonb_build_object('data'::text, null::text, 'errors'::text, pg_catalog.jsonb_build_array(
    pg_catalog.jsonb_build_object('message'::text,
      'GraphQL is not answered within an SQL statement. Send the query to /graphql/v1 of this project, with its API key.'::text)
  ))
$$;

-- Default privileges may say otherwise. There is nothing in it that anybody could not say themselves.
grant execute on function graphql_public.graphql(text, text, jsonb, jsonb) to public, anon, authenticated, service_role;
