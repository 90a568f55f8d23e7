import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withClient } from '#kit/postgres/client'
import { createSecrets, loadMasterKey } from '#kit/secrets'
import type { Platform } from './platform.ts'

/** Runs SQL in a project's server as whoever runs the platform can: as its superuser, over the unix socket. */
export async function runAsOperator(
  { home }: Platform,
  ref: string,
  statement: string,
): Promise<void> {
  const password = (await readFile(join(home, 'platform-password'), 'utf8')).trim()
  const host = join(home, 'sockets/platform')
  const own = { host, port: 5432, user: 'plinth', database: 'plinth', password }
  const found = await withClient(own, (client) =>
    client.query<{ sealed_secrets: string; db_address: { host: string; port: number } }>(
      'select sealed_secrets, db_address from platform.projects where ref = $1',
      [ref],
    ),
  )
  const [row] = found.rows
  if (!row) throw new Error(`There is no project ${ref}`)
  const secrets = createSecrets(loadMasterKey(join(home, 'master-key')))
  const opened = JSON.parse(secrets.open(row.sealed_secrets, `project:${ref}`)) as {
    adminPassword: string
  }
  const login = { user: 'supabase_admin', password: opened.adminPassword, database: 'postgres' }
  const { host: socket, port } = row.db_address
  await withClient({ host: socket, port, ...login }, (client) => client.query(statement))
}
