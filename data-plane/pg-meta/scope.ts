import type { Queryable } from './queryable.ts'

/** Which schemas a list covers and which part of it is asked for. */
export type Scope = {
  include_system_schemas: 'true' | 'false'
  included_schemas?: string | undefined
  excluded_schemas?: string | undefined
  limit?: number | undefined
  offset: number
}

const names = (list: string | undefined) => list?.split(',').map((name) => name.trim()) ?? null

/** `$1`, `$2` and `$3` of `inScope`. */
export function scopeValues(scope: Scope): [string[] | null, string[], boolean] {
  const system = scope.include_system_schemas === 'true'
  return [names(scope.included_schemas), names(scope.excluded_schemas) ?? [], system]
}

/** A condition on `n`, a row of pg_namespace: schemas named on purpose always count, the server's own only on demand. */
export const inScope = `
  case when $1::text[] is not null then n.nspname = any ($1::text[])
    else $3::boolean or (n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema')
  end
  and n.nspname <> all ($2::text[])
`

/** What the current login may know of; `c` is a row of pg_class. */
export const isVisible = `
  (pg_has_role(c.relowner, 'USAGE')
    or has_table_privilege(c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER')
    or has_any_column_privilege(c.oid, 'SELECT, INSERT, UPDATE, REFERENCES'))
`

export async function rowsOf<T extends object>(
  db: Queryable,
  sql: string,
  values: unknown[],
): Promise<T[]> {
  return (await db.query<T>(sql, values)).rows
}

/** For what is asked again and again: planning a look into the catalog takes longer than the look. */
export async function preparedRowsOf<T extends object>(
  db: Queryable,
  name: string,
  text: string,
  values: unknown[],
): Promise<T[]> {
  return (await db.query<T>({ name, text, values })).rows
}
