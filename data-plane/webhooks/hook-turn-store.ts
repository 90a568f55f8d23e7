import type { Pool, PoolClient } from 'pg'

/**
 * One transaction after the other, in all processes that send for this database.
 * @throws when somebody holds the lock for three seconds: everybody else holds it for milliseconds, but the owner of the database
 * can hold it too.
 */
export async function inTurn<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query("begin; set local lock_timeout = '3s'")
    await client.query(
      `select pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('plinth_hooks', 0))`,
    )
    const result = await work(client)
    await client.query('commit')
    client.release()
    return result
  } catch (error) {
    client.release(true)
    throw error
  }
}
