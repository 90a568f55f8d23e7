-- Migrations say `create extension pg_graphql with schema graphql`, which has to be there then.
create schema if not exists graphql authorization postgres;
grant usage on schema graphql to plinth_read_only;
