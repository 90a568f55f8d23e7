import { readdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from 'pg'

/** Writes everything down and names the WAL file that is written to from here on. */
export async function checkpoint(client: Client): Promise<string> {
  await client.query('checkpoint')
  const sql = 'select pg_walfile_name(pg_current_wal_insert_lsn()) as name'
  const { rows } = await client.query<{ name: string }>(sql)
  return rows[0]?.name ?? ''
}

/**
 * Removes WAL files of a stopped cluster that were kept for later use and hold nothing: all beyond the one after
 * `current`. The server makes new ones when it needs them.
 */
export async function removeUnusedWal(dataDir: string, current: string): Promise<void> {
  const folder = join(dataDir, 'pg_wal')
  const later = (await readdir(folder)).filter(
    (name) => /^[0-9A-F]{24}$/.test(name) && name > current,
  )
  for (const name of later.toSorted().slice(1)) await unlink(join(folder, name))
}
