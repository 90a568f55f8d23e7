import type { ApiFunction } from '#contract/projects/project-overview'
import type { Queryable } from '../queryable.ts'
import { rowsOf } from '../scope.ts'

type Query = {
  schema: string
  id?: number | undefined
  search?: string | undefined
  limit: number
  offset: number
}

/** Triggers are called by tables only, and an argument without a name cannot be passed by name. */
const listed = `
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where n.nspname = $1 and p.prokind = 'f'
    and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
    and ($3::int8 is null or p.oid = $3::int8)
    and ($2::text is null or strpos(lower(p.proname), lower($2)) > 0)
    and (p.pronargs = 0
      or (p.proargnames is not null and '' <> all (p.proargnames[1:p.pronargs])))
`

const columns = `
  p.oid as id, n.nspname as schema, p.proname as name, obj_description(p.oid, 'pg_proc') as comment,
  coalesce((
    select jsonb_agg(jsonb_build_object(
      'name', p.proargnames[x.position], 'type', format_type(x.type, null),
      'optional', x.rank > p.pronargs - p.pronargdefaults) order by x.position)
    from (
      select u.type, u.position, row_number() over (order by u.position) as rank
      from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality u (type, position)
      where coalesce(p.proargmodes[u.position], 'i') in ('i', 'b', 'v')
    ) x
  ), '[]') as args,
  pg_get_function_result(p.oid) as returns, p.proretset as returns_set,
  case p.provolatile when 'v' then 'VOLATILE' when 's' then 'STABLE' else 'IMMUTABLE' end as volatility
`

export async function listApiFunctions(
  db: Queryable,
  input: Query,
): Promise<{ functions: ApiFunction[]; total: number }> {
  const values = [input.schema, input.search ?? null, input.id ?? null]
  const page = `select ${columns} ${listed} order by p.proname, p.oid limit $4 offset $5`
  const functions = await rowsOf<ApiFunction>(db, page, [...values, input.limit, input.offset])
  if (input.offset === 0 && functions.length < input.limit)
    return { functions, total: functions.length }
  const count = `select count(*)::int as total ${listed}`
  const [row] = await rowsOf<{ total: number }>(db, count, values)
  return { functions, total: row?.total ?? 0 }
}
