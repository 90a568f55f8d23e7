import type { Policy, SqlType } from '#contract/pg-meta-shapes'
import type { Queryable } from './queryable.ts'
import { inScope, rowsOf, scopeValues, type Scope } from './scope.ts'

const typeRows = `
  select
    t.oid as id, t.typname as name, n.nspname as schema, format_type(t.oid, null) as format,
    coalesce((select array_agg(e.enumlabel::text order by e.enumsortorder)
      from pg_enum e where e.enumtypid = t.oid), '{}') as enums,
    coalesce((select jsonb_agg(jsonb_build_object('name', a.attname, 'type_id', a.atttypid::int8) order by a.attnum)
      from pg_attribute a
      where t.typrelid <> 0 and a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped), '[]') as attributes,
    obj_description(t.oid, 'pg_type') as comment,
    nullif(t.typrelid, 0) as type_relation_id
  from pg_type t
  join pg_namespace n on n.oid = t.typnamespace
  left join pg_class r on r.oid = t.typrelid
  where ${inScope}
    and ($4::boolean or t.typcategory <> 'A')
    and (t.typrelid = 0 or r.relkind = 'c' or $5::boolean and r.relkind in ('r', 'v', 'm', 'p', 'f'))
  order by n.nspname, t.typname limit $6 offset $7
`

type Flag = 'true' | 'false'

export function listTypes(
  db: Queryable,
  scope: Scope & { include_array_types: Flag; include_table_types: Flag },
): Promise<SqlType[]> {
  const more = [scope.include_array_types === 'true', scope.include_table_types === 'true']
  const values = [...scopeValues(scope), ...more, scope.limit ?? null, scope.offset]
  return rowsOf<SqlType>(db, typeRows, values)
}

const policyRows = `
  select
    p.oid as id, n.nspname as schema, c.relname as table, c.oid as table_id, p.polname as name,
    case when p.polpermissive then 'PERMISSIVE' else 'RESTRICTIVE' end as action,
    case when p.polroles = '{0}' then array['public']
      else array(select r.rolname::text from pg_roles r where r.oid = any (p.polroles) order by r.rolname)
    end as roles,
    case p.polcmd when 'r' then 'SELECT' when 'a' then 'INSERT' when 'w' then 'UPDATE' when 'd' then 'DELETE'
      else 'ALL' end as command,
    pg_get_expr(p.polqual, p.polrelid) as definition,
    pg_get_expr(p.polwithcheck, p.polrelid) as check
  from pg_policy p
  join pg_class c on c.oid = p.polrelid
  join pg_namespace n on n.oid = c.relnamespace
  where ${inScope}
  order by n.nspname, c.relname, p.polname limit $4 offset $5
`

export function listPolicies(db: Queryable, scope: Scope): Promise<Policy[]> {
  return rowsOf<Policy>(db, policyRows, [...scopeValues(scope), scope.limit ?? null, scope.offset])
}
