-- Which indexes would make a query cheaper, by the public name and columns of index_advisor. Candidates are built for real and
-- taken back, all in one subtransaction: the planner is asked before and after. The caller needs the rights to do that, and has no
-- others. While it runs, nobody writes to the tables of the query.

-- Words of a plan's conditions and sort keys, and the relations that it reads.
create function @extschema@.index_advisor_words(plan jsonb) returns text
language sql immutable set search_path = pg_catalog as $$
  select coalesce(string_agg(text #>> '{}', ' '), '')
  from (
    select jsonb_path_query(plan, '$.**."Filter"') union all
    select jsonb_path_query(plan, '$.**."Index Cond"') union all
    select jsonb_path_query(plan, '$.**."Recheck Cond"') union all
    select jsonb_path_query(plan, '$.**."Hash Cond"') union all
    select jsonb_path_query(plan, '$.**."Merge Cond"') union all
    select jsonb_path_query(plan, '$.**."Join Filter"') union all
    select jsonb_path_query(plan, '$.**."Sort Key"') union all
    select jsonb_path_query(plan, '$.**."Group Key"')
  ) as conditions (text)
$$;

create function @extschema@.index_advisor(query text)
returns table (
  startup_cost_before jsonb, startup_cost_after jsonb, total_cost_before jsonb, total_cost_after jsonb,
  index_statements text[], errors text[]
)
language plpgsql as $$
declare
  path constant text := pg_catalog.current_setting('search_path');
  asks constant text := 'explain (format json, verbose, generic_plan) ';
  largest constant bigint := 268435456;
  most constant int := 12;
  plan jsonb;
  words text;
  candidate record;
  statement text;
  tried text[];
  used text[];
begin
  index_statements := '{}';
  errors := '{}';
  query := pg_catalog.regexp_replace(query, ';\s*$', '');
  if pg_catalog.strpos(query, ';') operator(pg_catalog.>) 0 then
    errors := array['The query has a semicolon: give one statement.'];
    return next;
    return;
  end if;
  begin
    -- Its own names mean the server's, those of the query what they mean to the caller. Undone with all else below.
    perform pg_catalog.set_config('lock_timeout', '300ms', true);
    execute pg_catalog.concat(asks, query) into plan;
    perform pg_catalog.set_config('search_path', 'pg_catalog', true);
    plan := plan -> 0 -> 'Plan';
    startup_cost_before := plan -> 'Startup Cost';
    total_cost_before := plan -> 'Total Cost';
    startup_cost_after := startup_cost_before;
    total_cost_after := total_cost_before;
    words := @extschema@.index_advisor_words(plan);
    tried := '{}';
    for candidate in
      with relations as (
        select distinct c.oid, c.relowner, n.nspname, c.relname, c.relkind
        from jsonb_path_query(plan, 'lax $.** ? (@."Relation Name" != "")') as node
        join pg_class c on c.relname = node ->> 'Relation Name'
        join pg_namespace n on n.oid = c.relnamespace and n.nspname = node ->> 'Schema'
      )
      select r.*, a.attname, pg_has_role(r.relowner, 'USAGE') as owned, pg_table_size(r.oid) as bytes
      from relations r
      join pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
      where r.relkind in ('r', 'm') and r.nspname <> 'pg_catalog'
        and words ~ ('(^|[^\w"])' || regexp_replace(quote_ident(a.attname), '([^\w])', '\\\1', 'g') || '($|[^\w"])')
        and not exists (
          select from pg_index i where i.indrelid = r.oid and i.indkey[0] = a.attnum and i.indpred is null and i.indisvalid
        )
      order by r.nspname, r.relname, a.attnum
      limit most
    loop
      if not candidate.owned then
        errors := errors || format('Only the owner of %I.%I can try indexes on it.', candidate.nspname, candidate.relname);
      elsif candidate.bytes > largest then
        errors := errors || format(
          'The table %I.%I is too large to try an index on it: it has %s, and nobody could write to it meanwhile.',
          candidate.nspname, candidate.relname, pg_size_pretty(candidate.bytes));
      else
        statement := format('on %I.%I using btree (%I)', candidate.nspname, candidate.relname, candidate.attname);
        begin
          execute format('create index %I %s', 'index_advisor_' || cardinality(tried), statement);
          tried := tried || statement;
        exception
          when undefined_object then null; -- Its type has no order.
          when lock_not_available or insufficient_privilege or read_only_sql_transaction then
            errors := errors || format('No index on %I.%I could be tried: %s', candidate.nspname, candidate.relname, sqlerrm);
        end;
      end if;
    end loop;
    errors := array(select distinct error from unnest(errors) as error order by error);
    perform set_config('search_path', path, true);
    execute pg_catalog.concat(asks, query) into plan;
    perform pg_catalog.set_config('search_path', 'pg_catalog', true);
    plan := plan -> 0 -> 'Plan';
    used := array(
      select distinct name #>> '{}' from jsonb_path_query(plan, 'lax $.**."Index Name"') as name
    );
    index_statements := array(
      select 'CREATE INDEX ' || replace(tried[n], ' using btree ', ' USING btree ')
      from generate_subscripts(tried, 1) as n
      where 'index_advisor_' || (n - 1) = any (used)
      order by n
    );
    if cardinality(index_statements) > 0 then
      startup_cost_after := plan -> 'Startup Cost';
      total_cost_after := plan -> 'Total Cost';
    end if;
    raise exception 'taken back' using errcode = 'PLADV';
  exception
    when sqlstate 'PLADV' then null;
    when others then
      index_statements := '{}';
      errors := array[sqlerrm];
  end;
  return next;
end
$$;
