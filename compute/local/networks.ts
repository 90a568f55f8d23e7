import { readForeign, writeDurably } from '#kit/postgres/files'
import { signal } from '#kit/postgres/processes'
import { findRunning } from '#kit/postgres/server'
import { hasConfig, rulesIn, writeRules } from './config.ts'
import type { Machine } from './machine.ts'
import { userOf } from './registry.ts'
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
  const after = networks === null ? accessRules() : accessRules(networks)
  const config = folders.config(ref)
  if (await hasConfig(config)) await writeRules(config, after, userOf(record))
  else {
    // An earlier version has started it, perhaps, and its server looks there; its next start moves them over.
    const file = rulesIn(data)
    if ((await readForeign(file)) !== after) await writeDurably(file, after, userOf(record))
  }
  // Also when nothing was written: an earlier attempt may have ended between the two.
  const server = await findRunning(data)
  if (server) signal(server.pid, 'SIGHUP')
}
