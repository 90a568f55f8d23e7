import type { ClientBase } from 'pg'
import type { Difference } from '#contract/database/migration-tools'
import type { Queryable } from '../queryable.ts'
import { rowsOf } from '../scope.ts'
import { structureSql } from './structure-sql.ts'

/** Beside the record of migrations: what the structure was when the last change was recorded. */
const ensureStructure = `
  create table if not exists supabase_migrations.structure (
    kind text, name text, definition text not null, primary key (kind, name)
  );
  create table if not exists supabase_migrations.structure_taken (
    single boolean primary key default true check (single), at timestamptz not null, version text
  );
`
/** Reading the whole structure twice for each change must not be felt; larger databases are taken down on demand. */
const maxFollowed = 500

const isThere = async (db: Queryable) =>
  (
    await rowsOf<{ there: boolean }>(
      db,
      "select to_regclass('supabase_migrations.structure_taken') is not null as there",
      [],
    )
  )[0]?.there === true

/**
 * Needs a transaction. The search path decides how names are written, so it is empty meanwhile; compiling a query that
 * runs once takes longer than running it.
 */
async function withFullNames<T>(db: Queryable, work: () => Promise<T>): Promise<T> {
  const [now] = await rowsOf<{ path: string }>(
    db,
    "select current_setting('search_path') as path, set_config('search_path', '', true), set_config('jit', 'off', true)",
    [],
  )
  const result = await work()
  await rowsOf(db, "select set_config('search_path', $1, true)", [now?.path ?? ''])
  return result
}

const differencesSql = `
  with now as (${structureSql})
  select kind, name,
    case when s.name is null then 'added' when now.name is null then 'removed' else 'changed' end as change,
    s.definition as before, now.definition as after
  from supabase_migrations.structure s full join now using (kind, name)
  where s.definition is distinct from now.definition
  order by kind, name
`
const differences = (db: Queryable) =>
  withFullNames(db, () => rowsOf<Difference>(db, differencesSql, []))

/** What was different before a change: it stays so, unless the change itself touches it. Undefined: nothing is followed. */
export type Earlier = Difference[] | undefined

export async function beforeChange(db: ClientBase): Promise<Earlier> {
  if (!(await isThere(db))) return (await isLarge(db)) ? undefined : []
  const [taken] = await rowsOf(db, 'select at from supabase_migrations.structure_taken', [])
  if (await isLarge(db)) return undefined
  return taken ? differences(db) : []
}

async function isLarge(db: Queryable): Promise<boolean> {
  const sql = `select count(*) > ${maxFollowed} as large
    from (select from pg_class where oid >= 16384 and relkind in ('r', 'p', 'v', 'm', 'f') limit ${maxFollowed + 1}) as relations`
  return (await rowsOf<{ large: boolean }>(db, sql, []))[0]?.large === true
}

const forgetSql = `delete from supabase_migrations.structure s
  using jsonb_to_recordset($1) as gone (kind text, name text) where s.kind = gone.kind and s.name = gone.name`
const keepSql = `insert into supabase_migrations.structure (kind, name, definition)
  select * from jsonb_to_recordset($1) as kept (kind text, name text, definition text)
  on conflict (kind, name) do update set definition = excluded.definition`
const takenSql = `insert into supabase_migrations.structure_taken (at, version)
  values (now(), (select max(version) from supabase_migrations.schema_migrations))
  on conflict (single) do update set at = excluded.at, version = excluded.version`

/** Takes down what the change has done, in its transaction and after its record. */
export async function afterChange(db: ClientBase, earlier: Earlier): Promise<void> {
  if (earlier === undefined) return
  await db.query(ensureStructure)
  const known = new Map(earlier.map((one) => [keyOf(one), one.after]))
  const done = (await differences(db)).filter(
    (one) => !known.has(keyOf(one)) || known.get(keyOf(one)) !== one.after,
  )
  await keep(db, done)
}

const keyOf = ({ kind, name }: Difference) => `${kind} ${name}`

async function keep(db: Queryable, done: readonly Difference[]): Promise<void> {
  const gone = done.filter(({ after }) => after === null)
  const there = done.filter(({ after }) => after !== null)
  if (gone.length > 0) await rowsOf(db, forgetSql, [JSON.stringify(gone)])
  const rows = there.map(({ kind, name, after }) => ({ kind, name, definition: after }))
  if (rows.length > 0) await rowsOf(db, keepSql, [JSON.stringify(rows)])
  await rowsOf(db, takenSql, [])
}

/** Needs a transaction, as all of these. */
export async function acceptStructure(db: ClientBase): Promise<{ objects: number }> {
  await db.query(ensureStructure)
  await keep(db, await differences(db))
  const sql = 'select count(*)::int as objects from supabase_migrations.structure'
  const [count] = await rowsOf<{ objects: number }>(db, sql, [])
  return { objects: count?.objects ?? 0 }
}

const maxListed = 500

type Taken = { at: string; version: string | null; elsewhere: string[] }
const sinceSql = `
  select to_char(t.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at, t.version,
    array(select m.version from supabase_migrations.schema_migrations m
      where t.version is null or m.version > t.version order by m.version) as elsewhere
  from supabase_migrations.structure_taken t
`

export async function driftOf(db: Queryable) {
  const nothing = { since: null, version: null, elsewhere: [], differences: [], total: 0 }
  if (!(await isThere(db))) return nothing
  const [taken] = await rowsOf<Taken>(db, sinceSql, [])
  if (!taken) return nothing
  const found = await differences(db)
  return {
    since: taken.at,
    version: taken.version,
    elsewhere: taken.elsewhere,
    differences: found.slice(0, maxListed),
    total: found.length,
  }
}
