import type { Pool, PoolClient, QueryResultRow } from 'pg'
import { beginStatement } from './request-scope.ts'

/** Whatever runs statements: the pool, or the client of a transaction. */
export type Db = Pick<PoolClient, 'query'>

const attempts = 3

/**
 * Runs `work` in one transaction. When Postgres gives it up because of a deadlock or a serialization conflict it is
 * run again, so `work` does nothing but SQL, and asks hooks, which may be asked twice; mails leave after the commit.
 */
export async function inTransaction<T>(pool: Pool, work: (tx: Db) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await once(pool, work)
    } catch (error) {
      const again = ['40P01', '40001'].includes(sqlState(error) ?? '')
      if (!again || attempt === attempts) throw error
    }
  }
}

/** What is to happen once a transaction is committed. */
const transactions = new WeakMap<Db, ((pool: Pool) => void)[]>()

/** Runs `effect` with the tenant's pool once what `db` does is committed: at once where `db` is that pool itself. */
export function afterCommit(db: Db, effect: (pool: Db) => void): void {
  const effects = transactions.get(db)
  if (effects) effects.push(effect)
  else effect(db)
}

async function once<T>(pool: Pool, work: (tx: Db) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  // The pool stops listening while a client is checked out; without a listener a dying server would end this process.
  const onError = (error: Error) => void (broken = error)
  client.on('error', onError)
  try {
    const effects: ((pool: Pool) => void)[] = []
    transactions.set(client, effects)
    await client.query(beginStatement())
    const result = await work(client)
    await client.query('commit')
    for (const effect of effects) effect(pool)
    return result
  } catch (error) {
    // A connection that cannot even roll back is thrown away; the first error is the one to report.
    await client.query('rollback').catch(onError)
    throw error
  } finally {
    transactions.delete(client)
    client.off('error', onError)
    client.release(broken)
  }
}

/** The first row, or undefined. */
export async function one<Row extends QueryResultRow>(
  db: Db,
  sql: string,
  values: readonly unknown[],
): Promise<Row | undefined> {
  const { rows } = await db.query<Row>(sql, [...values])
  return rows[0]
}

/** The SQLSTATE of a database error, for example "23505". */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** The constraint whose uniqueness an insert or update would break. */
export function brokenUnique(error: unknown): string | undefined {
  if (sqlState(error) !== '23505' || !(error instanceof Error)) return undefined
  return 'constraint' in error && typeof error.constraint === 'string' ? error.constraint : ''
}
