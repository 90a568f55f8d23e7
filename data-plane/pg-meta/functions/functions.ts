import type { DatabaseFunction } from '#contract/database/database-functions'
import { ApiError } from '#kit/errors'
import type { Queryable } from '../queryable.ts'
import { inScope, rowsOf, scopeValues, type Scope } from '../scope.ts'

/** Postgres prints no aggregate as SQL, so it is put together here; its functions come out qualified where they must. */
const aggregateStatement = `(
  select format(E'CREATE AGGREGATE %I.%I(%s) (\\n  %s\\n)', n.nspname, p.proname,
    coalesce(nullif(pg_get_function_arguments(p.oid), ''), '*'),
    (select string_agg(format('%s = %s', part.name, part.value), E',\\n  ' order by part.place)
     from (values
       (1, 'SFUNC', g.aggtransfn::text), (2, 'STYPE', format_type(g.aggtranstype, null)),
       (3, 'FINALFUNC', nullif(g.aggfinalfn::text, '-') || case when g.aggfinalextra then ', FINALFUNC_EXTRA' else '' end), (4, 'COMBINEFUNC', nullif(g.aggcombinefn::text, '-')),
       (5, 'SERIALFUNC', nullif(g.aggserialfn::text, '-')), (6, 'DESERIALFUNC', nullif(g.aggdeserialfn::text, '-')),
       (7, 'INITCOND', quote_literal(g.agginitval)), (8, 'MSFUNC', nullif(g.aggmtransfn::text, '-')),
       (9, 'MINVFUNC', nullif(g.aggminvtransfn::text, '-')),
       (10, 'MSTYPE', case when g.aggmtranstype <> 0 then format_type(g.aggmtranstype, null) end),
       (11, 'MFINALFUNC', nullif(g.aggmfinalfn::text, '-') || case when g.aggmfinalextra then ', MFINALFUNC_EXTRA' else '' end), (12, 'MINITCOND', quote_literal(g.aggminitval)),
       (13, 'PARALLEL', case p.proparallel when 's' then 'SAFE' when 'r' then 'RESTRICTED' end)
     ) as part (place, name, value)
     where part.value is not null))
  from pg_aggregate g where g.aggfnoid = p.oid
)`
const statement = `case p.prokind when 'a' then ${aggregateStatement} else pg_get_functiondef(p.oid) end`

/**
 * Functions of a page `page (oid)`. The default of each argument comes from the list as Postgres prints it
 * (`pg_get_function_arg_default` is asked one by one), its type from the catalog.
 */
const detailsOfPage = `
  select
    p.oid as id, n.nspname as schema, p.proname as name, l.lanname as language,
    coalesce(pg_get_function_sqlbody(p.oid), p.prosrc) as definition,
    ${statement} as complete_statement,
    coalesce((
      select jsonb_agg(jsonb_build_object(
        'mode', case a.mode when 'i' then 'in' when 'o' then 'out' when 'b' then 'inout' when 'v' then 'variadic'
          else 'table' end,
        'name', coalesce(p.proargnames[a.position], ''), 'type_id', a.type::int8, 'type', format_type(a.type, null),
        'has_default', pg_get_function_arg_default(p.oid, a.position::int) is not null,
        'default_value', pg_get_function_arg_default(p.oid, a.position::int)
      ) order by a.position)
      from (
        select t.type, t.position, coalesce(p.proargmodes[t.position]::text, 'i') as mode
        from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality t (type, position)
      ) a
    ), '[]') as args,
    pg_get_function_arguments(p.oid) as argument_types,
    pg_get_function_identity_arguments(p.oid) as identity_argument_types,
    p.prorettype as return_type_id, coalesce(pg_get_function_result(p.oid), '') as return_type,
    nullif(rt.typrelid, 0) as return_type_relation_id, p.proretset as is_set_returning_function,
    case p.provolatile when 'i' then 'IMMUTABLE' when 's' then 'STABLE' else 'VOLATILE' end as behavior,
    p.prosecdef as security_definer,
    (select jsonb_object_agg(split_part(c, '=', 1), substr(c, strpos(c, '=') + 1)) from unnest(p.proconfig) c)
      as config_params,
    case p.prokind when 'p' then 'procedure' when 'w' then 'window' when 'a' then 'aggregate' else 'function' end as kind,
    case when p.prosqlbody is null then 'quoted' else 'standard' end as body,
    p.proisstrict as strict, p.proleakproof as leakproof,
    case p.proparallel when 's' then 'SAFE' when 'r' then 'RESTRICTED' else 'UNSAFE' end as parallel,
    p.procost as cost, p.prorows as rows,
    case when p.proretset then p.prorows end as prorows, obj_description(p.oid, 'pg_proc') as comment,
    (select e.extname from pg_depend d join pg_extension e on e.oid = d.refobjid
     where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
       and d.refclassid = 'pg_extension'::regclass) as extension
  from page
  join pg_proc p on p.oid = page.oid
  join pg_namespace n on n.oid = p.pronamespace
  join pg_language l on l.oid = p.prolang
  join pg_type rt on rt.oid = p.prorettype
  order by n.nspname, p.proname, p.oid
`

const listSql = `
  with page as (
    select p.oid from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where ${inScope} and (p.prokind = 'f' or $4::boolean and p.prokind in ('p', 'w', 'a'))
      and not ($5::boolean and exists (select from pg_depend d
        where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'))
      and ($8::text is null or p.prorettype = to_regtype($8))
    order by n.nspname, p.proname, p.oid limit $6 offset $7
  ) ${detailsOfPage}
`

type Flag = 'true' | 'false'

export function listFunctions(
  db: Queryable,
  scope: Scope & {
    include_procedures: Flag
    exclude_extensions: Flag
    return_type?: string | undefined
  },
): Promise<DatabaseFunction[]> {
  const more = [scope.include_procedures === 'true', scope.exclude_extensions === 'true']
  const page = [scope.limit ?? null, scope.offset, scope.return_type ?? null]
  const values = [...scopeValues(scope), ...more, ...page]
  return rowsOf<DatabaseFunction>(db, listSql, values)
}

const oneSql = `
  with page as (select p.oid from pg_proc p where p.oid = $1::int8 and p.prokind in ('f', 'p', 'w'))
  ${detailsOfPage}
`

export async function getFunction(db: Queryable, id: number): Promise<DatabaseFunction> {
  const [found] = await rowsOf<DatabaseFunction>(db, oneSql, [id])
  if (!found) throw new ApiError('not_found', `Cannot find a function with ID ${id}`)
  return found
}
