import { join } from 'node:path'
import { readForeign, writeDurably } from '#kit/postgres/files'
import { signal } from '#kit/postgres/processes'
import { findRunning } from '#kit/postgres/server'
import type { Machine } from './machine.ts'
import { userOf } from './run.ts'
import { accessRules } from './settings.ts'

/**
 * Writes the networks into the server's own access rules and has a running server read them. A project that does not
 * exist needs nothing.
 */
export async function setNetworks(
  { folders, registry }: Machine,
  ref: string,
  networks: readonly string[] | null,
): Promise<void> {
  const record = registry.get(ref)
  if (!record?.ready) return
  const data = folders.data(ref)
  const file = join(data, 'pg_hba.conf')
  const after = networks === null ? accessRules() : accessRules(networks)
  if ((await readForeign(file)) !== after) await writeDurably(file, after, userOf(record))
  // Also when nothing was written: an earlier attempt may have ended between the two.
  const server = await findRunning(data)
  if (server) signal(server.pid, 'SIGHUP')
}
