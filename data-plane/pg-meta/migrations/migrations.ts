import type { ClientBase, PoolClient } from 'pg'
import type { Migration } from '#contract/database/migrations'
import { ApiError } from '#kit/errors'
import { inTransaction } from '../connections.ts'
import type { Queryable } from '../queryable.ts'
import { rowsOf } from '../scope.ts'
import { afterChange, beforeChange } from './structure.ts'

type Change = {
  name: string
  statements: string[]
  inverse?: string[] | undefined
  /** Of a file that has one; the moment of recording unless told. */
  version?: string | undefined
}

/** Made when it is first needed, as other migration tools do: a project without migrations has no trace of them. */
const ensureTable = `
  create schema if not exists supabase_migrations;
  create table if not exists supabase_migrations.schema_migrations (
    version text primary key
  );
  alter table supabase_migrations.schema_migrations
    add column if not exists statements text[],
    add column if not exists name text,
    add column if not exists created_by text,
    add column if not exists idempotency_key text unique,
    add column if not exists rollback text[];
`
const isComplete = `
  select count(*) = 6 as complete from pg_attribute
  where attrelid = to_regclass('supabase_migrations.schema_migrations') and not attisdropped
    and attname in ('version', 'statements', 'name', 'created_by', 'idempotency_key', 'rollback')
`

const returned = 'version, name, statements, rollback, created_by'

/** One at a time, so that versions follow one another; a second that is taken gives its place to the next one. */
const insert = `
  insert into supabase_migrations.schema_migrations (version, name, statements, rollback, created_by)
  select coalesce($5, to_char(greatest(
      date_trunc('second', statement_timestamp() at time zone 'utc'),
      (select to_timestamp(max(version), 'YYYYMMDDHH24MISS') at time zone current_setting('TimeZone') + interval '1 second'
       from supabase_migrations.schema_migrations where version ~ '^[12][0-9]{13}$')
    ), 'YYYYMMDDHH24MISS')), $1, $2, $3, $4
  returning ${returned}
`
const alone = 'select pg_advisory_xact_lock(7237481)'
/** A change may rewrite a large table; nobody waits longer than this for one. */
const timeoutSql = "set statement_timeout = '15min'"
const localTimeoutSql = "set local statement_timeout = '15min'"

/** Everything that changes the record waits here, until the end of its transaction. */
export const holdRecord = (db: Queryable) => db.query(alone)

export async function ensureRecord(db: Queryable): Promise<void> {
  const [known] = await rowsOf<{ complete: boolean }>(db, isComplete, [])
  if (!known?.complete) await db.query(ensureTable)
}

async function record(db: Queryable, change: Change, by: string | null): Promise<Migration> {
  await ensureRecord(db)
  const { name, statements, inverse, version } = change
  const values = [name, statements, inverse ?? null, by, version ?? null]
  const [made] = await rowsOf<Migration>(db, insert, values)
  if (!made) throw new Error('A migration that was just recorded is missing')
  return made
}

/** The change and its record, in a transaction that the caller has begun. */
export async function executeRecorded(
  db: ClientBase,
  change: Change,
  by: string | null,
): Promise<Migration> {
  await db.query(alone)
  const earlier = await beforeChange(db)
  for (const statement of change.statements) {
    await db.query(statement)
    if (db.getTransactionStatus() !== 'T')
      throw new ApiError('invalid_input', 'A change cannot begin or end transactions')
  }
  const made = await record(db, change, by)
  await afterChange(db, earlier)
  return made
}

/** The change and its record, both or neither. */
export const changeInTransaction = (db: PoolClient, change: Change, by: string | null) =>
  inTransaction(db, async () => {
    await db.query(localTimeoutSql)
    return executeRecorded(db, change, by)
  })

/** For a statement that Postgres refuses in a transaction. It has happened when it comes to the record. */
export async function changeAlone(
  db: PoolClient,
  change: Change,
  by: string | null,
): Promise<Migration> {
  const [statement, ...more] = change.statements
  if (statement === undefined || more.length > 0)
    throw new ApiError(
      'invalid_input',
      'Outside a transaction, a change must be a single statement',
    )
  await db.query(timeoutSql)
  const earlier = await inTransaction(db, () => beforeChange(db))
  await db.query(statement)
  return inTransaction(db, async () => {
    await db.query(alone)
    const made = await record(db, change, by)
    await afterChange(db, earlier)
    return made
  })
}

/** Through JSON: a table that another tool has made may lack the columns that not all of them know. */
const newestFirst = `
  select version, m->>'name' as name, m->>'created_by' as created_by,
    array(select jsonb_array_elements_text(coalesce(nullif(m->'statements', 'null'), '[]'))) as statements,
    case when jsonb_typeof(m->'rollback') = 'array'
      then array(select jsonb_array_elements_text(m->'rollback')) end as rollback
  from (select version, to_jsonb(t.*) as m from supabase_migrations.schema_migrations t) as migrations
  where ($2::text is null or version < $2)
    and ($3::text is null or strpos(lower(concat_ws(' ', version, m->>'name', m->>'statements')), lower($3)) > 0)
  order by version desc limit $1
`

export async function listMigrations(
  db: Queryable,
  {
    limit,
    before,
    search,
  }: { limit: number; before?: string | undefined; search?: string | undefined },
): Promise<Migration[]> {
  const [table] = await rowsOf<{ there: boolean }>(
    db,
    "select to_regclass('supabase_migrations.schema_migrations') is not null as there",
    [],
  )
  return table?.there
    ? rowsOf<Migration>(db, newestFirst, [limit, before ?? null, search ?? null])
    : []
}
