import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { ClientBase, Pool } from 'pg'

/** One step of what a database is made of. Once it has landed it is never edited: what it lacks is the next one's. */
export type Migration = {
  /** Begins with its number, such as `0046_new_tables.sql`. */
  name: string
  /** What the file says, which its checksum is of. */
  sql: string
  /** The same with what the installation has chosen in it. It is given to a database again when that changes. */
  filled?: string
  /** Every database has it from when it was made, also those of before there were records. It cannot run again. */
  isOriginal?: boolean
  /** The name by which it was recorded before. */
  formerly?: string
}

export type MigrateOptions = {
  /** Where names and checksums of what was applied are kept. The last of the originals that come first makes the schema. */
  table: { schema: string; name: string }
  /** Without records the database is not new but older than these, and has these of them. */
  has?: (migration: Migration) => boolean
  /** What was replaced or is missing is made again: all that can run again does. */
  again?: boolean
  /** Said in each transaction before anything else. */
  settings?: string
}

/** Says what is in the way, in words for who can do something about it. */
export class MigrationError extends Error {
  override name = 'MigrationError'
}

/** Any constant: what matters is that all who migrate one database wait at the same one. */
const lockKey = 7_145_862_301
/** Another one, held by whoever lets a library make its tables. */
const libraryKey = 7_145_862_302

const checksumOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32)
const filledOf = ({ filled }: Migration) => (filled === undefined ? null : checksumOf(filled))

/** A name for exactly what a database has that was given all of these. */
export const keyOf = (migrations: readonly Migration[]): string =>
  checksumOf(JSON.stringify(migrations.map(({ name, sql, filled }) => [name, sql, filled])))

/** The files of a folder and the folders in it, in order of their numbers. A folder is no part of a file's name. */
export const migrationsIn = (folder: string, prefix = ''): Migration[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.sql'))
    .map((path) => ({
      name: prefix + basename(path),
      sql: readFileSync(join(folder, path), 'utf8'),
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))

/**
 * Whether the table is there, and one that nobody else has anything behind: whoever owns the database may have made one of
 * that name, and rows are written there with more rights than theirs. Rows of the catalogue alone are read.
 */
const findTable = `select c.relkind = 'r' and (o.rolsuper or o.rolname = current_user)
    and not c.relrowsecurity and not c.relispartition
    and not exists (select from pg_catalog.pg_trigger t where t.tgrelid = c.oid)
    and not exists (select from pg_catalog.pg_rewrite r where r.ev_class = c.oid)
    and not exists (select from pg_catalog.pg_inherits i where c.oid in (i.inhrelid, i.inhparent))
    and not exists (select from pg_catalog.pg_constraint k where k.conrelid = c.oid and k.contype not in ('p', 'n'))
    and not exists (select from pg_catalog.pg_index x where x.indrelid = c.oid and not x.indisprimary)
    and not exists (select from pg_catalog.pg_attrdef d
      where d.adrelid = c.oid and pg_catalog.pg_get_expr(d.adbin, d.adrelid) <> 'now()')
    and not exists (select from pg_catalog.pg_attribute a where a.attrelid = c.oid and a.atttypid >= 16384) as ours,
    exists (select from pg_catalog.pg_attribute a where a.attrelid = c.oid and a.attname = 'filled') as whole
  from pg_catalog.pg_class c
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  join pg_catalog.pg_roles o on o.oid = c.relowner
  where n.nspname = $1 and c.relname = $2`

type Known = { checksum: string | null; filled: string | null }

const statementsFor = (table: string) => ({
  make: `create table ${table} (name text primary key, applied_at timestamptz not null default pg_catalog.now(), checksum text, filled text)`,
  complete: `alter table ${table} add column checksum text, add column filled text`,
  read: `select name, checksum, filled from ${table}`,
  write: `insert into ${table} (name, checksum, filled) values ($1, $2, $3)
    on conflict (name) do update set checksum = excluded.checksum, filled = excluded.filled`,
})

/**
 * Gives a database what it was not given yet, in this order, each in a transaction with its record. Says which it was
 * given. The lock that keeps others waiting is held until the session ends.
 * @throws MigrationError, which names the one that failed, or those that have changed since they were applied
 */
export async function migrate(
  client: ClientBase,
  migrations: readonly Migration[],
  { table: at, has, again = false, settings }: MigrateOptions,
): Promise<string[]> {
  if (migrations.length === 0) return []
  const table = `${at.schema}.${at.name}`
  const statements = statementsFor(table)
  const applied: string[] = []

  async function inTransaction<T>(work: () => Promise<T>): Promise<T> {
    await client.query('begin')
    try {
      if (settings !== undefined) await client.query(settings)
      const result = await work()
      await client.query('commit')
      return result
    } catch (error) {
      await client.query('rollback')
      throw error
    }
  }
  async function apply({ name, sql, filled }: Migration): Promise<void> {
    try {
      await client.query(filled ?? sql)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new MigrationError(`${name} could not be applied: ${reason}`, { cause: error })
    }
    applied.push(name)
  }
  async function record(migration: Migration): Promise<Known> {
    const known = { checksum: checksumOf(migration.sql), filled: filledOf(migration) }
    await client.query(statements.write, [migration.name, known.checksum, known.filled])
    return known
  }
  /** The table is made together with what has to be there before it can be. */
  async function begin(): Promise<void> {
    const end = migrations.findIndex(({ isOriginal }) => isOriginal !== true)
    const first = has ? migrations.filter(has) : migrations.slice(0, end === -1 ? undefined : end)
    if (!has) for (const migration of first) await apply(migration)
    await client.query(statements.make)
    for (const migration of first) await record(migration)
  }
  /** Records of before there were checksums get theirs now: nothing says that the file was another one. */
  async function takeOver(): Promise<Map<string, Known>> {
    const { rows } = await client.query<Known & { name: string }>(statements.read)
    const records = new Map<string, Known>(rows.map(({ name, ...known }) => [name, known]))
    for (const migration of migrations) {
      const { name, formerly } = migration
      const known = records.get(name) ?? (formerly !== undefined && records.get(formerly))
      if (known && (known.checksum === null || !records.has(name)))
        records.set(name, await record(migration))
    }
    return records
  }

  await client.query('select pg_catalog.pg_advisory_lock($1)', [lockKey])
  const found = await client.query<{ ours: boolean; whole: boolean }>(findTable, [
    at.schema,
    at.name,
  ])
  const [there] = found.rows
  if (there?.ours === false) {
    const problem = `${table} is not the table in which the platform keeps what was applied`
    throw new MigrationError(`${problem}: rename or drop what has this name`)
  }
  const records = await inTransaction(async () => {
    if (!there) await begin()
    if (there?.whole === false) await client.query(statements.complete)
    return takeOver()
  })
  refuseChanged(migrations, records)
  // What comes behind one that runs again may have replaced what that makes.
  let isAgain = again
  for (const migration of migrations) {
    const known = records.get(migration.name)
    isAgain ||= known !== undefined && known.filled !== filledOf(migration)
    if (known && (!isAgain || migration.isOriginal)) continue
    await inTransaction(async () => {
      await apply(migration)
      await record(migration)
    })
  }
  return applied
}

function refuseChanged(migrations: readonly Migration[], records: Map<string, Known>): void {
  const changed = migrations.filter(({ name, sql }) => {
    const known = records.get(name)
    return known !== undefined && known.checksum !== checksumOf(sql)
  })
  if (changed.length === 0) return
  const names = changed.map(({ name }) => name).join(', ')
  throw new MigrationError(
    `Changed since they were applied: ${names}. Put them back as they were, and write what is to be different into a new file`,
  )
}

/**
 * Does what makes tables by itself, as libraries do at their start, while no other process does so in this database. Who waits asks
 * again and again: a statement that waits has a snapshot, for whose end an index waits that is made beside writes.
 */
export async function oneAtATime<T>(pool: Pool, work: () => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    for (;;) {
      const { rows } = await client.query<{ mine: boolean }>(
        'select pg_catalog.pg_try_advisory_lock($1) as mine',
        [libraryKey],
      )
      if (rows[0]?.mine) return await work()
      await delay(50)
    }
  } finally {
    // With its session the lock goes, whatever happened.
    client.release(true)
  }
}
