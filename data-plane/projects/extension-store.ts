import type { Pool } from 'pg'

/** Which of these extensions a database has. */
export async function installedExtensions(pool: Pool, names: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ extname: string }>(
    'select extname from pg_extension where extname = any ($1)',
    [names],
  )
  return rows.map(({ extname }) => extname)
}
