import type { GuardedTable } from '#contract/database/database-policies'
import type { Policy } from '#contract/database/pg-meta-shapes'
import { policyRows } from './policies.ts'
import type { Queryable } from '../queryable.ts'
import { rowsOf } from '../scope.ts'

type Query = { schema: string; search: string; limit: number; offset: number }
type Row = Omit<GuardedTable, 'policies'> & { total: number }

const page = `
  with found as (
    select c.oid, c.relname, c.relrowsecurity, c.relforcerowsecurity, n.nspname, n.oid as namespace,
      count(*) over ()::int as total
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = $1 and c.relkind in ('r', 'p')
      and ($2 = '' or position(lower($2) in lower(c.relname)) > 0 or exists (
        select from pg_policy p where p.polrelid = c.oid and position(lower($2) in lower(p.polname)) > 0))
    order by c.relname limit $3 offset $4
  )
  select oid as id, nspname as schema, relname as name, relrowsecurity as rls_enabled,
    relforcerowsecurity as rls_forced, total,
    coalesce((
      select jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
      from pg_attribute a where a.attrelid = found.oid and a.attnum > 0 and not a.attisdropped), '[]') as columns,
    array(
      select r.rolname::text from pg_roles r
      where r.rolname in ('anon', 'authenticated') and has_schema_privilege(r.oid, namespace, 'USAGE')
        and (has_table_privilege(r.oid, found.oid, 'SELECT, INSERT, UPDATE, DELETE')
          or has_any_column_privilege(r.oid, found.oid, 'SELECT, INSERT, UPDATE'))
      order by r.rolname) as reached_by
  from found order by relname
`
const policiesOf = `${policyRows} where p.polrelid = any ($1::oid[]) order by p.polname`

export async function listGuardedTables(
  db: Queryable,
  { schema, search, limit, offset }: Query,
): Promise<{ tables: GuardedTable[]; total: number }> {
  const rows = await rowsOf<Row>(db, page, [schema, search.trim(), limit, offset])
  const policies = await rowsOf<Policy>(db, policiesOf, [rows.map(({ id }) => id)])
  const tables = rows.map(
    ({ id, schema: of, name, rls_enabled, rls_forced, columns, reached_by }) => ({
      id,
      schema: of,
      name,
      rls_enabled,
      rls_forced,
      columns,
      reached_by,
      policies: policies.filter(({ table_id }) => table_id === id),
    }),
  )
  return { tables, total: rows[0]?.total ?? 0 }
}
