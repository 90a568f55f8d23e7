import { createHash } from 'node:crypto'
import type { Client } from '#kit/postgres/client'
import type { RoleLook } from '../provider.ts'
import type { Registry } from './registry.ts'

/**
 * In these schemas the customer has the rights of the owner, and can change what the platform made: not drop it, but
 * replace a function or rename a column.
 */
const schemas = `array['storage', 'realtime']::pg_catalog.name[]`

/**
 * One line for each function, table, column, constraint, index and trigger there, that begins with its name and ends with what it
 * is. Rows of the catalogue alone are read. `$1`: names of tables and functions; null for all of them.
 */
export const objectsQuery = `with relation as (
  select c.oid, c.relname, c.relkind, c.relrowsecurity, c.relowner, pg_catalog.format('%I.%I', n.nspname, c.relname) as name
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any (${schemas}) and c.relkind in ('r', 'p', 'v') and ($1::name[] is null or c.relname = any ($1))
)
select pg_catalog.format('function %s: %s', p.oid::pg_catalog.regprocedure,
    pg_catalog.md5(pg_catalog.concat_ws('|', p.prosrc, p.prosecdef, p.provolatile, p.proconfig, l.lanname, o.rolname,
      p.prorettype::pg_catalog.regtype))) as line
  from pg_catalog.pg_proc p
  join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  join pg_catalog.pg_language l on l.oid = p.prolang
  join pg_catalog.pg_authid o on o.oid = p.proowner
  where n.nspname = any (${schemas}) and ($1::name[] is null or p.proname = any ($1))
union all
select pg_catalog.format('table %s: %s %s %s', r.name, r.relkind, r.relrowsecurity, o.rolname)
  from relation r join pg_catalog.pg_authid o on o.oid = r.relowner
union all
select pg_catalog.format('column %s.%I: %s %s %s %s %s', r.name, a.attname,
    pg_catalog.format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attgenerated,
    pg_catalog.pg_get_expr(d.adbin, d.adrelid))
  from relation r
  join pg_catalog.pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
  left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
union all
select pg_catalog.format('constraint %I of %s: %s', c.conname, r.name, pg_catalog.pg_get_constraintdef(c.oid))
  from relation r join pg_catalog.pg_constraint c on c.conrelid = r.oid
union all
select pg_catalog.format('index %I of %s: %s', i.relname, r.name, pg_catalog.pg_get_indexdef(x.indexrelid))
  from relation r
  join pg_catalog.pg_index x on x.indrelid = r.oid
  join pg_catalog.pg_class i on i.oid = x.indexrelid
union all
select pg_catalog.format('trigger %I of %s: %s %s %s', t.tgname, r.name, t.tgenabled, t.tgtype,
    t.tgfoid::pg_catalog.regprocedure)
  from relation r join pg_catalog.pg_trigger t on t.tgrelid = r.oid and not t.tgisinternal`

/** All of them, in a project that nobody has touched yet. */
export async function platformObjects(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(objectsQuery, [null])
  return rows.map(({ line }) => line).toSorted()
}

const name = /^(?:function|table) \w+\.(\w+)/
const nameOf = (line: string) => line.slice(0, line.indexOf(': '))

/** Those of `made` that are missing here or not what they were. What the customer has made beside them is not looked at. */
export async function changedObjects(client: Client, made: readonly string[]): Promise<string[]> {
  const names = made.flatMap((line) => name.exec(line)?.[1] ?? [])
  const sql = `select e.line from pg_catalog.unnest($2::text[]) e (line) except (${objectsQuery})`
  const { rows } = await client.query<{ line: string }>(sql, [[...new Set(names)], made])
  return rows.map(({ line }) => nameOf(line)).toSorted()
}

/**
 * What this version gives to projects of earlier ones also makes again what is missing or was replaced, so the next start is told to
 * give it once more; for the same changes once, as not everything can be mended so. Tells what the operator reads.
 */
export async function repairAtNextStart(
  registry: Registry,
  ref: string,
  changed: readonly string[],
): Promise<RoleLook['findings']> {
  const record = registry.get(ref)
  if (!record) return []
  const { repaired, ...rest } = record
  if (changed.length === 0) {
    if (repaired !== undefined) await registry.save(ref, rest)
    return []
  }
  const mark = createHash('sha256').update(changed.join('\n')).digest('hex').slice(0, 16)
  const isTried = repaired === mark
  if (!isTried) {
    const { upgrade: _, ...again } = rest
    await registry.save(ref, { ...again, repaired: mark })
  }
  const outcome = isTried ? 'was not mended' : 'is made again at the next start'
  return changed.map((what) => ({
    found: `${what} is not as the platform made it, and ${outcome}`,
    repaired: false,
  }))
}
