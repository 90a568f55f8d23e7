import { quoteIdent } from '#contract/ddl/sql-text'
import { one, type Db } from '../store.ts'

export type HookFunction = {
  /** `json` or `jsonb`. */
  argument: string
  /** Whether the role of this service may call it. */
  allowed: boolean
}

/** The function of that name with one argument of type json or jsonb; the latter when there are both. */
export function hookFunction(
  db: Db,
  schema: string,
  name: string,
): Promise<HookFunction | undefined> {
  return one(
    db,
    `select pg_catalog.format_type(p.proargtypes[0], null) as argument,
            pg_catalog.has_schema_privilege(n.oid, 'usage')
              and pg_catalog.has_function_privilege(p.oid, 'execute') as allowed
       from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
      where n.nspname = $1 and p.proname = $2 and p.prokind = 'f' and p.pronargs = 1
        and p.proargtypes[0] in ('json'::regtype, 'jsonb'::regtype) and not p.proretset
      order by p.proargtypes[0] desc limit 1`,
    [schema, name],
  )
}

/** Calls it with a JSON text and gives its answer as text. It has so many milliseconds; the limit before holds again afterwards. */
export async function callHookFunction(
  db: Db,
  { schema, name, argument }: { schema: string; name: string; argument: string },
  payload: string,
  limitMs: number,
): Promise<string | null> {
  const limits = `select pg_catalog.current_setting('statement_timeout') as before,
    pg_catalog.set_config('statement_timeout', $1, true)`
  const { before = '0' } = (await one<{ before: string }>(db, limits, [String(limitMs)])) ?? {}
  const type = argument === 'json' ? 'json' : 'jsonb'
  const call = `select (${quoteIdent(schema)}.${quoteIdent(name)}($1::${type}))::text as answer`
  const row = await one<{ answer: string | null }>(db, call, [payload])
  await db.query(`select pg_catalog.set_config('statement_timeout', $1, true)`, [before])
  return row?.answer ?? null
}
