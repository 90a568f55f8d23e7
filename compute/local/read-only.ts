import { join } from 'node:path'
import { readForeign, writeDurably } from '#kit/postgres/files'
import { signal } from '#kit/postgres/processes'
import { findRunning } from '#kit/postgres/server'
import type { Machine } from './machine.ts'
import { userOf } from './registry.ts'

const setting = 'default_transaction_read_only'
const ours = new RegExp(`^\\s*${setting}\\b.*\\n?`, 'gim')

/**
 * Says so in the server's own settings file and has a running server read it, which reaches sessions that are open too.
 * A project that does not exist needs nothing.
 */
export async function setReadOnly(
  { folders, registry }: Machine,
  ref: string,
  readOnly: boolean,
): Promise<void> {
  const record = registry.get(ref)
  if (!record?.ready) return
  const data = folders.data(ref)
  const file = join(data, 'postgresql.auto.conf')
  const before = (await readForeign(file)) ?? ''
  const kept = before.replace(ours, '')
  const after = readOnly ? `${kept.replace(/\n*$/, '\n')}${setting} = 'on'\n` : kept
  if (after !== before) await writeDurably(file, after, userOf(record))
  // Also when nothing was written: an earlier attempt may have ended between the two.
  const server = await findRunning(data)
  if (server) signal(server.pid, 'SIGHUP')
}
