import type { RlsCommand, RlsResult } from '#contract/database/rls-test'
import type { Policy } from '#contract/database/pg-meta-shapes'
import { policyRows } from './policies.ts'
import type { Queryable } from '../queryable.ts'
import type { RlsPolicy } from './rls-verdict.ts'
import { rowsOf } from '../scope.ts'

export type RlsColumn = {
  name: string
  /** Schema and name, quoted. */
  type: string
  /** As SQL; null where there is none. */
  default: string | null
  /** A stored generated column: its default is its expression. */
  generated: boolean
  identity: boolean
  may: { select: boolean; insert: boolean; update: boolean }
}
export type RlsFacts = {
  inactive: RlsResult['inactive']
  usage: boolean
  may: { select: boolean; insert: boolean; update: boolean; delete: boolean }
  columns: RlsColumn[]
  triggers: string[]
  /** Those that are for the role, with expressions that mean the same whatever the search path. */
  spoken: RlsPolicy[]
  policies: (Policy & { applies: boolean })[]
}

const table = `
  select c.relrowsecurity as enabled, c.relforcerowsecurity as forced, r.rolbypassrls or r.rolsuper as bypass,
    pg_has_role(r.oid, c.relowner, 'USAGE') as owns, has_schema_privilege(r.oid, c.relnamespace, 'USAGE') as usage,
    jsonb_build_object(
      'select', has_any_column_privilege(r.oid, c.oid, 'SELECT'), 'insert', has_any_column_privilege(r.oid, c.oid, 'INSERT'),
      'update', has_any_column_privilege(r.oid, c.oid, 'UPDATE'), 'delete', has_table_privilege(r.oid, c.oid, 'DELETE')) as may,
    array(
      select t.tgname::text from pg_trigger t
      where t.tgrelid = c.oid and not t.tgisinternal and t.tgenabled in ('O', 'A')
        and t.tgtype & 3 = 3 and t.tgtype & $3 <> 0
      order by t.tgname) as triggers
  from pg_class c cross join pg_roles r
  where c.oid = $1::int8 and r.rolname = $2
`
/** Bits of pg_trigger.tgtype. */
const events: Record<RlsCommand, number> = { SELECT: 0, INSERT: 4, DELETE: 8, UPDATE: 16 }

const columns = `
  select a.attname as name, quote_ident(n.nspname) || '.' || quote_ident(t.typname) as type,
    pg_get_expr(d.adbin, d.adrelid) as default, a.attgenerated <> '' as generated, a.attidentity <> '' as identity,
    jsonb_build_object('select', has_column_privilege($2, a.attrelid, a.attnum, 'SELECT'),
      'insert', has_column_privilege($2, a.attrelid, a.attnum, 'INSERT'),
      'update', has_column_privilege($2, a.attrelid, a.attnum, 'UPDATE')) as may
  from pg_attribute a
  join pg_type t on t.oid = a.atttypid
  join pg_namespace n on n.oid = t.typnamespace
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attrelid = $1::int8 and a.attnum > 0 and not a.attisdropped order by a.attnum
`
const spoken = `
  select p.oid as id, p.polpermissive as permissive, p.polcmd::text as command,
    pg_get_expr(p.polqual, p.polrelid) as using, pg_get_expr(p.polwithcheck, p.polrelid) as check
  from pg_policy p
  where p.polrelid = $1::int8 and (p.polroles = '{0}'
    or exists (select from unnest(p.polroles) as of where pg_has_role($2::name, of, 'USAGE')))
  order by p.polname
`
const ofTable = `${policyRows} where p.polrelid = $1::int8 order by p.polname`

type TableRow = {
  enabled: boolean
  forced: boolean
  bypass: boolean
  owns: boolean
  usage: boolean
  may: RlsFacts['may']
  triggers: string[]
}

/** What is known before any row is looked at. Undefined when there is no such role. */
export async function rlsFacts(
  db: Queryable,
  id: number,
  role: string,
  command: RlsCommand,
): Promise<RlsFacts | undefined> {
  const [found] = await rowsOf<TableRow>(db, table, [id, role, events[command]])
  if (!found) return undefined
  const policies = await rowsOf<Policy>(db, ofTable, [id])
  // Expressions are printed with every name qualified, so that they can be asked under any search path.
  await db.query("select set_config('search_path', '', true)")
  const known = await rowsOf<RlsColumn>(db, columns, [id, role])
  const speaking = await rowsOf<RlsPolicy>(db, spoken, [id, role])
  await db.query('set local search_path to default')
  const { usage, may, triggers } = found
  return {
    inactive: inactiveBecause(found),
    usage,
    may,
    columns: known,
    triggers,
    spoken: speaking,
    policies: policies.map((policy) => ({
      ...policy,
      applies: speaking.some((one) => one.id === policy.id),
    })),
  }
}

function inactiveBecause({ enabled, forced, bypass, owns }: TableRow): RlsResult['inactive'] {
  if (!enabled) return 'off'
  if (bypass) return 'bypass'
  return owns && !forced ? 'owner' : null
}

/** The privileges that a command lacks, in words. */
export function missingPrivileges(
  { usage, may, columns: all }: RlsFacts,
  { schema, name }: { schema: string; name: string },
  command: RlsCommand,
  given: readonly string[],
): string[] {
  if (!usage) return [`usage of schema ${schema}`]
  const onColumns = (verb: 'select' | 'insert' | 'update', names: readonly string[]) => {
    if (!may[verb]) return [`${verb} on table ${name}`]
    const without = all.filter((column) => names.includes(column.name) && !column.may[verb])
    return without.map((column) => `${verb} on column ${column.name}`)
  }
  // A filter has to read some column; which ones, only the call knows.
  const seeing = may.select ? [] : [`select on table ${name}`]
  switch (command) {
    case 'SELECT':
      return onColumns(
        'select',
        all.map((column) => column.name),
      )
    case 'INSERT':
      return onColumns('insert', given)
    case 'UPDATE':
      return [...seeing, ...onColumns('update', given)]
    case 'DELETE':
      return [...seeing, ...(may.delete ? [] : [`delete on table ${name}`])]
  }
}
