import { byItself, hungOn, notOfExtension, ofSchemas, relation } from './reading.ts'

const inChosen = `n.nspname = any ($1::text[])`
const chosenRelation = `${inChosen} and ${notOfExtension('pg_class', 'c.oid')}`
const chosenFunction = `${inChosen} and ${notOfExtension('pg_proc', 'p.oid')}`
const fullName = `format('%I.%I', n.nspname, c.relname)`
const signature = `format('%I.%I(%s)', n.nspname, p.proname, pg_get_function_identity_arguments(p.oid))`

export const functions = ofSchemas(`
  select 'function' as kind, ${signature} as name, array[pg_get_functiondef(p.oid)] as sql
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where p.prokind in ('f', 'p', 'w') and ${chosenFunction} and ${byItself('pg_proc', 'p.oid')} order by p.oid
`)

const named = (word: string, column: string) =>
  `case when a.${column} <> 0 then ', ${word} = ' || a.${column}::regproc end`

/** Ordinary aggregates; those with an order of their own are reported (left.ts). */
export const aggregates = ofSchemas(`
  select 'aggregate' as kind, ${signature} as name, array[format(
    'create aggregate %I.%I (%s) (sfunc = %s, stype = %s%s%s%s%s%s%s%s%s%s, parallel = %s)', n.nspname, p.proname,
    case when p.pronargs = 0 then '*' else pg_get_function_arguments(p.oid) end,
    a.aggtransfn::regproc, format_type(a.aggtranstype, null),
    case when a.aggtransspace <> 0 then ', sspace = ' || a.aggtransspace end,
    ${named('finalfunc', 'aggfinalfn')}, case when a.aggfinalextra then ', finalfunc_extra' end,
    ${named('combinefunc', 'aggcombinefn')}, ${named('serialfunc', 'aggserialfn')}, ${named('deserialfunc', 'aggdeserialfn')},
    ', initcond = ' || quote_literal(a.agginitval),
    case when a.aggmtransfn <> 0 then format(', msfunc = %s, minvfunc = %s, mstype = %s', a.aggmtransfn::regproc,
      a.aggminvtransfn::regproc, format_type(a.aggmtranstype, null)) end,
    case when a.aggmtransfn <> 0 then concat(${named('mfinalfunc', 'aggmfinalfn')},
      ', minitcond = ' || quote_literal(a.aggminitval)) end,
    case p.proparallel when 's' then 'safe' when 'r' then 'restricted' else 'unsafe' end)] as sql
  from pg_aggregate a join pg_proc p on p.oid = a.aggfnoid join pg_namespace n on n.oid = p.pronamespace
  where a.aggkind = 'n' and a.aggsortop = 0 and ${chosenFunction} order by p.oid
`)

const viewOptions = `(select ' with (' || string_agg(format('%I = %L', o.option_name, o.option_value), ', ') || ')'
  from pg_options_to_table(c.reloptions) o)`

export const views = ofSchemas(`
  select case c.relkind when 'v' then 'view' else 'materialized view' end as kind, ${fullName} as name,
    array[case c.relkind when 'v' then format(E'create view %I.%I (%s)%s as\\n%s', n.nspname, c.relname,
        (select string_agg(quote_ident(a.attname), ', ' order by a.attnum) from pg_attribute a
          where a.attrelid = c.oid and a.attnum > 0), ${viewOptions}, pg_get_viewdef(c.oid))
      else format(E'create materialized view %I.%I%s as\\n%s\\nwith no data', n.nspname, c.relname, ${viewOptions},
        rtrim(pg_get_viewdef(c.oid), ';')) end] as sql
  from ${relation} where c.relkind in ('v', 'm') and ${chosenRelation} order by c.oid
`)

export const refreshes = ofSchemas(`
  select 'rows of a materialized view' as kind, ${fullName} as name,
    array[format('refresh materialized view %I.%I', n.nspname, c.relname)] as sql
  from ${relation} where c.relkind = 'm' and c.relispopulated and ${chosenRelation} order by c.oid
`)

export const rules = ofSchemas(`
  select 'rule' as kind, format('%I on %I.%I', r.rulename, n.nspname, c.relname) as name,
    array_remove(array[pg_get_ruledef(r.oid), case when r.ev_enabled <> 'O' then format('alter table %I.%I %s rule %I',
      n.nspname, c.relname, case r.ev_enabled when 'D' then 'disable' when 'A' then 'enable always' else 'enable replica' end,
      r.rulename) end], null) as sql
  from pg_rewrite r join pg_class c on c.oid = r.ev_class join pg_namespace n on n.oid = c.relnamespace
  where r.rulename <> '_RETURN' and ${chosenRelation}
`)

/** On tables of the services too, where what they call is the customer's. */
export const triggers = ofSchemas(`
  select 'trigger' as kind, format('%I on %I.%I', t.tgname, n.nspname, c.relname) as name,
    array_remove(array[pg_get_triggerdef(t.oid), case when t.tgenabled <> 'O' then format('alter table %I.%I %s trigger %I',
      n.nspname, c.relname, case t.tgenabled when 'D' then 'disable' when 'A' then 'enable always' else 'enable replica' end,
      t.tgname) end], null) as sql
  from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
  join pg_proc p on p.oid = t.tgfoid join pg_namespace fn on fn.oid = p.pronamespace
  where not t.tgisinternal and t.tgparentid = 0 and ${notOfExtension('pg_trigger', 't.oid')}
    and (${inChosen} or (n.nspname = any (${hungOn}) and fn.nspname = any ($1::text[])))
  order by t.oid
`)

export const policies = ofSchemas(`
  select 'policy' as kind, format('%I on %I.%I', p.polname, n.nspname, c.relname) as name,
    array[format('create policy %I on %I.%I as %s for %s to %s%s%s', p.polname, n.nspname, c.relname,
      case when p.polpermissive then 'permissive' else 'restrictive' end,
      case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end,
      (select string_agg(case when r = 0 then 'public' else quote_ident(pg_get_userbyid(r)) end, ', ')
        from unnest(p.polroles) r),
      ' using (' || pg_get_expr(p.polqual, p.polrelid) || ')',
      ' with check (' || pg_get_expr(p.polwithcheck, p.polrelid) || ')')] as sql
  from pg_policy p join pg_class c on c.oid = p.polrelid join pg_namespace n on n.oid = c.relnamespace
  where (${inChosen} or n.nspname = any (${hungOn})) and ${notOfExtension('pg_policy', 'p.oid')}
  order by p.oid
`)
