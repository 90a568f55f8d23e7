-- The public names of pg_graphql. GraphQL is answered by a service beside the database (/graphql/v1), for every role and with the
-- same comments (@graphql). A statement cannot ask it: the service would answer in another session, which does not see what this
-- transaction has written, nor the role and claims that hold in it. So these answer as GraphQL does, with an error that says so.

create function graphql._internal_resolve(
  query text, variables jsonb default '{}', "operationName" text default null, extensions jsonb default null
) returns jsonb language sql stable set search_path = pg_catalog as $$
  select jsonb_build_object('data', null, 'errors', jsonb_build_array(jsonb_build_object('message',
    'GraphQL is not answered within a statement: send the query to /graphql/v1 of this project, with its API key.')))
$$;

create function graphql.resolve(
  query text, variables jsonb default '{}', "operationName" text default null, extensions jsonb default null
) returns jsonb language sql stable set search_path = pg_catalog as $$
  select graphql._internal_resolve(query, variables, "operationName", extensions)
$$;

-- What a comment says to GraphQL: `@graphql({"totalCount": {"enabled": true}})`.
create function graphql.comment_directive(comment_ text) returns jsonb
language plpgsql immutable set search_path = pg_catalog as $$
begin
  return coalesce(substring(comment_ from '@graphql\((.+)\)')::jsonb, '{}');
exception when invalid_text_representation then
  return '{}';
end
$$;

create function graphql.exception(message text) returns text
language plpgsql set search_path = pg_catalog as $$
begin
  raise exception using errcode = '22000', message = message;
end
$$;

create sequence graphql.seq_schema_version as int cycle;

create function graphql.get_schema_version() returns int
language sql stable set search_path = pg_catalog as $$
  select last_value::int from graphql.seq_schema_version
$$;
