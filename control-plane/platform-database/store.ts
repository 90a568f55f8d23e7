import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { root } from '#kit/root'

export type Migration = { name: string; sql: string }

/** Any constant: what matters is that every starting control plane waits at the same one. */
const lockKey = 7_145_862_301

/** The platform's migrations in order of their file names. */
export function platformMigrations(): Migration[] {
  const folder = join(root, 'control-plane/platform-database/migrations')
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((name) => ({ name, sql: readFileSync(join(folder, name), 'utf8') }))
}

/**
 * Applies what is new, each file in a transaction of its own, under an advisory lock so that control planes starting
 * together take turns. Returns the names that were applied.
 */
export async function migrate(pool: Pool, migrations: Migration[]): Promise<string[]> {
  const client = await pool.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey])
    await client.query(
      'create table if not exists public.plinth_migrations (name text primary key, applied_at timestamptz not null default now())',
    )
    const { rows } = await client.query<{ name: string }>(
      'select name from public.plinth_migrations',
    )
    const done = new Set(rows.map((row) => row.name))
    const fresh = migrations.filter((migration) => !done.has(migration.name))
    for (const { name, sql } of fresh) {
      await client.query('begin')
      await client.query(sql)
      await client.query('insert into public.plinth_migrations (name) values ($1)', [name])
      await client.query('commit')
    }
    return fresh.map((migration) => migration.name)
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    await client.query('select pg_advisory_unlock($1)', [lockKey])
    client.release()
  }
}
