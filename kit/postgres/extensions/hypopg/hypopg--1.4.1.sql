-- The public names of hypopg. The planner is told of an index that is not there by a library alone, which this server has not got:
-- making one is refused with what does the same here, and there are none to list, drop or hide.

create function @extschema@.hypopg_refusal() returns void
language plpgsql set search_path = pg_catalog as $$
begin
  raise exception 'this server cannot plan with an index that is not there' using
    errcode = '0A000',
    hint = 'select * from index_advisor(''...'') of the extension index_advisor tries real indexes and takes them back.';
end
$$;

create function @extschema@.hypopg_create_index(sql_order text, out indexrelid oid, out indexname text)
returns setof record language sql set search_path = pg_catalog as $$
  select null::oid, null::text from (select @extschema@.hypopg_refusal()) as refused
$$;

create function @extschema@.hypopg_hide_index(indexid oid) returns boolean
language sql set search_path = pg_catalog as $$
  select true from (select @extschema@.hypopg_refusal()) as refused
$$;

create function @extschema@.hypopg(
  out indexname text, out indexrelid oid, out indrelid oid, out innatts integer, out indisunique boolean,
  out indkey int2vector, out indcollation oidvector, out indclass oidvector, out indoption oidvector,
  out indexprs pg_node_tree, out indpred pg_node_tree, out amid oid
) returns setof record language sql stable set search_path = pg_catalog as $$
  select null::text, null::oid, null::oid, null::integer, null::boolean, null::int2vector, null::oidvector,
    null::oidvector, null::oidvector, null::pg_node_tree, null::pg_node_tree, null::oid
  where false
$$;

create function @extschema@.hypopg_drop_index(indexid oid) returns boolean
language sql set search_path = pg_catalog as $$ select false $$;
create function @extschema@.hypopg_get_indexdef(indexid oid) returns text
language sql set search_path = pg_catalog as $$ select null::text $$;
create function @extschema@.hypopg_relation_size(indexid oid) returns bigint
language sql set search_path = pg_catalog as $$ select 0::bigint $$;
create function @extschema@.hypopg_reset_index() returns void
language sql set search_path = pg_catalog as $$ select null::void $$;
create function @extschema@.hypopg_reset() returns void
language sql set search_path = pg_catalog as $$ select null::void $$;
create function @extschema@.hypopg_unhide_index(indexid oid) returns boolean
language sql set search_path = pg_catalog as $$ select false $$;
create function @extschema@.hypopg_unhide_all_indexes() returns void
language sql set search_path = pg_catalog as $$ select null::void $$;
create function @extschema@.hypopg_hidden_indexes() returns table (indexid oid)
language sql set search_path = pg_catalog as $$ select null::oid where false $$;

create view @extschema@.hypopg_list_indexes as
  select indexrelid, indexname as index_name, null::name as schema_name, null::name as table_name, null::name as am_name
  from @extschema@.hypopg();

create view @extschema@.hypopg_hidden_indexes as
  select indexid as indexrelid, null::name as index_name, null::name as schema_name, null::name as table_name,
    null::name as am_name, null::boolean as is_hypo
  from @extschema@.hypopg_hidden_indexes();
