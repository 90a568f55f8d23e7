import type { PoolClient } from 'pg'
import type { migrationTools } from '#contract/database/migration-tools'
import type { Parsed } from '#contract/endpoint'
import type { Migration } from '#contract/database/migrations'
import { splitStatements } from '#contract/database/sql/sql-statements'
import { ApiError } from '#kit/errors'
import { inTransaction } from '../connections.ts'
import { changeAlone, changeInTransaction, ensureRecord, holdRecord } from './migrations.ts'
import { rowsOf } from '../scope.ts'

/** Statements that Postgres refuses inside a transaction; a file with one of them has nothing else in it. */
const runsAlone = (words: readonly string[]) =>
  words.includes('concurrently') ||
  words[0] === 'vacuum' ||
  words.slice(0, 2).join(' ') === 'alter system'

/** A file of another tool, run and recorded under its own version. */
export async function applyFile(
  db: PoolClient,
  input: Parsed<typeof migrationTools.apply>,
  by: string | null,
): Promise<Migration> {
  const statements = splitStatements(input.sql)
  if (statements.length === 0) throw new ApiError('invalid_input', 'It contains no statement')
  await inTransaction(db, async () => {
    await ensureRecord(db)
    const sql = `select exists (select from supabase_migrations.schema_migrations where version = $1) as there,
      (select max(version) from supabase_migrations.schema_migrations where version ~ '^[0-9]{14}$') as newest`
    const [found] = await rowsOf<{ there: boolean; newest: string | null }>(db, sql, [
      input.version,
    ])
    if (found?.there) throw new ApiError('conflict', `${input.version} is already applied`)
    if (found?.newest && found.newest > input.version && !input.out_of_order)
      throw new ApiError(
        'conflict',
        `${input.version} is older than ${found.newest}, which is already applied`,
      )
  })
  const [first] = statements
  const alone = statements.length === 1 && first !== undefined && runsAlone(first.words)
  const change = {
    name: input.name,
    statements: statements.map(({ text }) => text),
    version: input.version,
  }
  return alone ? changeAlone(db, change, by) : changeInTransaction(db, change, by)
}

const addSql = `insert into supabase_migrations.schema_migrations (version, name, statements, created_by)
  values ($1, $2, $3, $4) on conflict (version) do nothing returning version`
const removeSql =
  'delete from supabase_migrations.schema_migrations where version = $1 returning version'

/** Changes the record and nothing else. */
export const markMigration = (
  db: PoolClient,
  { version, as, name, sql }: Parsed<typeof migrationTools.mark>,
  by: string | null,
): Promise<{ version: string }> =>
  inTransaction(db, async () => {
    await holdRecord(db)
    await ensureRecord(db)
    const statements = splitStatements(sql ?? '').map(({ text }) => text)
    const [row] =
      as === 'applied'
        ? await rowsOf<{ version: string }>(db, addSql, [version, name ?? null, statements, by])
        : await rowsOf<{ version: string }>(db, removeSql, [version])
    if (row) return row
    if (as === 'applied') throw new ApiError('conflict', `${version} is already recorded`)
    throw new ApiError('not_found', `There is no migration ${version}`)
  })
