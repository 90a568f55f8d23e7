import type { SqlType } from '#contract/database/pg-meta-shapes'
import type { Queryable } from '../queryable.ts'
import { inScope, rowsOf, scopeValues, type Scope } from '../scope.ts'

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
