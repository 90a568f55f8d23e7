import type { QueryResultRow } from 'pg'
import { quoteLiteral } from '#contract/ddl/sql-text'
import { RefusedError } from '../manage/manage-client.ts'
import {
  aggregates,
  functions,
  policies,
  refreshes,
  rules,
  triggers,
  views,
} from './catalog/code.ts'
import { checks, foreignKeys, indexes, keys, statistics } from './catalog/constraints.ts'
import { leftSql, rowsLeft, type Left } from './catalog/left.ts'
import { serviceSchemas, type Piece, type Reading } from './catalog/reading.ts'
import {
  comments,
  defaultGrants,
  functionGrants,
  publications,
  publicationTables,
  relationGrants,
  schemaGrants,
} from './catalog/rights.ts'
import { attachments, columnSettings, tables, tableSettings } from './catalog/tables.ts'
import {
  collations,
  composites,
  domains,
  enums,
  ranges,
  schemas,
  sequences,
} from './catalog/types.ts'
import type { Session } from './connections.ts'

/** Postgres 14 was the first of hosted projects whose catalog has all that is read. */
const oldest = 140_000

/** Names are written in full, values without loss, nothing changes the source, and no policy hides a row without a word. */
const settings = `select set_config(name, value, false) from (values
  ('search_path', ''), ('client_encoding', 'UTF8'), ('standard_conforming_strings', 'on'), ('datestyle', 'ISO, YMD'),
  ('intervalstyle', 'postgres'), ('extra_float_digits', '3'), ('bytea_output', 'hex'), ('lc_monetary', 'C'),
  ('xmloption', 'content'), ('timezone', 'UTC'), ('row_security', 'off'), ('statement_timeout', '0'), ('lock_timeout', '0'),
  ('idle_in_transaction_session_timeout', '0'), ('quote_all_identifiers', 'off')) as s (name, value)`

/** One snapshot for all that is read: rows and structure are of the same moment. */
const begin = 'begin isolation level repeatable read read only'

export async function openSource(db: Session): Promise<{ version: number }> {
  const { rows } = await db.query<{ version: number }>(
    `select current_setting('server_version_num')::int as version`,
  )
  const version = rows[0]?.version ?? 0
  if (version < oldest)
    throw new RefusedError(
      `the source is Postgres ${Math.floor(version / 10_000)}; import reads 14 and newer`,
    )
  await db.query(settings)
  await db.query(begin)
  return { version }
}

/** A second session of the same moment. */
export async function openSnapshot(db: Session, snapshot: string): Promise<void> {
  await db.query(settings)
  await db.query(begin)
  await db.query(['set transaction snapshot', quoteLiteral(snapshot)].join(' '))
}

/** What is refused must not end the transaction that everything is read in. */
export async function attempt<T>(db: Session, work: () => Promise<T>): Promise<T> {
  await db.query('savepoint attempt')
  try {
    const result = await work()
    await db.query('release savepoint attempt')
    return result
  } catch (error) {
    await db.query('rollback to savepoint attempt')
    throw error
  }
}

/** Values that both sides must print and read in the same way; the target's session may write. */
export const sameSettings = settings

async function rowsOf<T extends QueryResultRow>(db: Session, text: string, values: unknown[]) {
  return (await db.query<T>(text, values)).rows
}

/** Schemas of the customer: all, or those of them that are named. @throws RefusedError for a name that there is not */
export async function chosenSchemas(db: Session, named: readonly string[] | undefined) {
  const text = `select nspname as name from pg_namespace n
    where nspname <> all ($1::text[]) and nspname !~ '^pg_'
      and not exists (select from pg_depend x where x.classid = 'pg_catalog.pg_namespace'::regclass and x.objid = n.oid and x.deptype = 'e')
    order by nspname`
  const found = (await rowsOf<{ name: string }>(db, text, [serviceSchemas])).map(({ name }) => name)
  if (named === undefined) return found
  const missing = named.find((name) => !found.includes(name))
  if (missing !== undefined)
    throw new RefusedError(
      `the source has no schema "${missing}" of its own; it has ${found.join(', ')}`,
    )
  return found.filter((name) => named.includes(name))
}

/** In the order in which most of them can be made; what needs something later is tried again. */
const before: readonly Reading[] = [
  schemas,
  collations,
  enums,
  composites,
  domains,
  ranges,
  sequences,
  functions,
  aggregates,
  tables,
  attachments,
  views,
  columnSettings,
  relationGrants,
  functionGrants,
  schemaGrants,
  defaultGrants,
  policies,
]
const after = (version: number): readonly Reading[] => [
  keys,
  checks,
  indexes,
  foreignKeys,
  statistics,
  tableSettings,
  rules,
  triggers,
  refreshes,
  comments,
  publications,
  publicationTables(version),
]

export type Asked = { version: number; schemas: readonly string[]; roles: readonly string[] }

/** What is made before the rows come, or after them. */
export async function readPieces(db: Session, asked: Asked, when: 'before' | 'after') {
  const pieces: Piece[] = []
  for (const { text, takes } of when === 'before' ? before : after(asked.version)) {
    const values = takes === 'schemas' ? [asked.schemas] : [asked.schemas, asked.roles]
    for (const piece of await rowsOf<Piece>(db, text, values))
      if (piece.sql.length > 0) pieces.push(piece)
  }
  return pieces
}

export const readExtensions = (db: Session) =>
  rowsOf<{ name: string; schema: string }>(
    db,
    `select e.extname as name, n.nspname as schema from pg_extension e join pg_namespace n on n.oid = e.extnamespace
     where e.extname <> 'plpgsql' order by e.oid`,
    [],
  )

export async function readLeft(db: Session, { schemas: chosen, roles }: Asked): Promise<Left[]> {
  const left = await rowsOf<Left>(db, leftSql, [chosen, roles])
  for (const { kind, table, text, reason } of rowsLeft) {
    const [readable] = await rowsOf<{ yes: boolean | null }>(
      db,
      `select case when to_regclass($1) is not null then has_table_privilege(to_regclass($1), 'select') end as yes`,
      [table],
    )
    if (readable?.yes !== true) continue
    for (const { name } of await rowsOf<{ name: string }>(db, text, []))
      left.push({ kind, name, reason })
  }
  return left
}
