import type { SqlFunction } from '#contract/database/sql/sql-tools'
import type { Queryable } from '../queryable.ts'

/** More of a project's own functions than these nobody is offered while typing. */
const max = 2000

const functionRows = `
  select n.nspname as schema, p.proname as name, pg_get_function_arguments(p.oid) as arguments,
    coalesce(pg_get_function_result(p.oid), 'void') as returns,
    case p.prokind when 'p' then 'procedure' when 'a' then 'aggregate' when 'w' then 'window' else 'function' end as kind,
    obj_description(p.oid, 'pg_proc') as description
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where case when $1::text is null
    then n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
    else p.proname = $1 end
  order by n.nspname <> 'public', n.nspname, p.proname, p.pronargs, p.oid limit $2
`

export async function listFunctions(
  db: Queryable,
  { name }: { name?: string | undefined },
): Promise<SqlFunction[]> {
  return (await db.query<SqlFunction>(functionRows, [name ?? null, max])).rows
}
