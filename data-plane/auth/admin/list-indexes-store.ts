import type { Pool } from 'pg'
import { one } from '../store.ts'

/** Any number that nobody else uses: one process makes them at a time. */
const lock = 7_020_113

/**
 * Makes the indexes that are missing, one after the other, without holding up anybody who writes. False when they were
 * all there, or somebody else is at it.
 */
export async function makeIndexes(pool: Pool, statements: readonly string[]): Promise<boolean> {
  const known = `select 1 as known from auth.schema_migrations where version = '0003_list_indexes'`
  if (await one(pool, known, [])) return false
  const client = await pool.connect()
  try {
    const { rows } = await client.query<{ mine: boolean }>(
      'select pg_try_advisory_lock($1) as mine',
      [lock],
    )
    if (!rows[0]?.mine) return false
    try {
      await dropBroken(client)
      for (const statement of statements) {
        await client.query(statement.replace(/^create index /, 'create index concurrently '))
      }
      return true
    } finally {
      await client.query('select pg_advisory_unlock($1)', [lock])
    }
  } finally {
    client.release()
  }
}

/** What an attempt that was broken off has left behind: it would count as being there. */
async function dropBroken(client: { query: Pool['query'] }): Promise<void> {
  const { rows } = await client.query<{ sql: string }>(
    `select format('drop index concurrently auth.%I', relname) as sql
       from pg_class join pg_index on indexrelid = pg_class.oid
      where relnamespace = 'auth'::regnamespace and not indisvalid
        and relname ~ '^(users|audit)_list_'`,
  )
  for (const { sql } of rows) await client.query(sql)
}
