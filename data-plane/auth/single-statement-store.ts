import type { Pool, QueryConfig, QueryResult } from 'pg'
import { beginStatement, isAnswering } from './request-scope.ts'

/**
 * The same pool, whose single statements are named by their request, too: each is a transaction of its own then. What belongs to
 * no request runs as it is.
 */
export function namedByRequest(pool: Pool): Pool {
  if (named.has(pool)) return pool
  named.add(pool)
  const plain = pool.query.bind(pool)
  const query = (...statement: Statement) =>
    isAnswering() ? single(pool, statement) : plain(...statement)
  // Auth gives a text and its values, or both as one that is prepared, and no callback.
  pool.query = query as typeof pool.query
  return pool
}
type Statement = [text: string | QueryConfig, values?: unknown[]]
const named = new WeakSet<Pool>()

async function single(pool: Pool, statement: Statement): Promise<QueryResult> {
  const client = await pool.connect()
  let broken: Error | undefined
  const onError = (error: Error) => void (broken = error)
  client.on('error', onError)
  try {
    const begun = client.query(beginStatement())
    const asked = client.query(...statement)
    // Both are on their way; the first can only fail where the second does.
    const [, result] = await Promise.all([begun, asked])
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(onError)
    throw error
  } finally {
    client.off('error', onError)
    client.release(broken)
  }
}
