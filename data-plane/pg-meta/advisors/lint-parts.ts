import type { LintName } from '#contract/observability/lints'

/** One row of a lint's SQL. */
export type Found = {
  /** What tells this finding from others of the rule; texts that stay the same. */
  key: string[]
  detail: string
  metadata: Record<string, unknown>
  /** Texts that `keep` looks at; they never leave the server. */
  evidence: string[] | null
}

/**
 * A rule as SQL over the catalogs: a select of `key`, `detail`, `metadata` and, where there is a `keep`, `evidence`.
 * It runs with an empty search path, so that all names come out qualified, and may read `p.exposed` (schemas of the data
 * API) and `p.platform` (schemas of the platform's services) from the fragments below.
 */
export type LintQuery = {
  name: LintName
  sql: string
  /** False for a row that turns out to be harmless. */
  keep?: (found: Found) => boolean
}

/** `n`, a row of pg_namespace, is one of the customer's. */
export const isOwn = `(n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and n.nspname <> all ((select platform from p)::text[]))`
export const isExposed = `(n.nspname = any ((select exposed from p)::text[]))`

/** Not made by an extension; `catalog` and `id` as in pg_depend. */
export const isNotOfExtension = (catalog: string, id: string) =>
  `not exists (select from pg_depend e where e.classid = '${catalog}'::regclass and e.objid = ${id} and e.deptype = 'e')`

/** Clients of the data API have this privilege on `c`, a row of pg_class. */
export const isOpenFor = (privileges: string) => `exists (
  select from pg_roles r
  where r.rolname in ('anon', 'authenticated') and has_schema_privilege(r.oid, n.oid, 'USAGE')
    and has_table_privilege(r.oid, c.oid, '${privileges}')
)`

/**
 * What a rule about access by programs looks at: tables of exposed schemas, and others that their roles may reach, by a
 * view for example.
 */
export const isWithinReach = `(${isExposed} or ${isOpenFor('SELECT, INSERT, UPDATE, DELETE')})`

/** `c`, a view, asks its tables as the caller. */
export const isInvokerView = `coalesce((
  select lower(option_value) in ('true', 'on', 'yes', '1') from pg_options_to_table(c.reloptions)
  where option_name = 'security_invoker'
), false)`

/** `conrelid` and such with a list of numbers to the names of the columns. */
export const columnNames = (relation: string, numbers: string) => `(
  select array_agg(a.attname::text order by u.place)
  from unnest(${numbers}) with ordinality as u(num, place)
  join pg_attribute a on a.attrelid = ${relation} and a.attnum = u.num
)`

/** What most findings say of the thing they are about. */
export const about = (type: string) =>
  `'schema', n.nspname, 'name', c.relname, 'type', '${type}', 'oid', c.oid::int8`
