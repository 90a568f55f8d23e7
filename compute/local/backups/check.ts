import { failpoint } from '#kit/failpoints'
import { BackupDamagedError, type BackupKey, type Readback } from '../../provider.ts'
import { UnknownProjectError } from '../../provider.ts'
import type { Machine } from '../machine.ts'
import { compareRows, nameOf } from './compare.ts'
import { adminOf } from './make.ts'
import { clearScratch, startScratch, unpack, type Scratch } from './scratch.ts'
import { countRows, storedTables } from './server-store.ts'

/** The restore drill: a backup that was not read back is none. */
export async function checkBackup(
  machine: Machine,
  key: BackupKey,
  password: string,
): Promise<Readback> {
  const record = machine.registry.get(key.ref)
  if (!record?.ready) throw new UnknownProjectError(key.ref)
  const facts = await machine.backups.files.get(key)
  const home = machine.folders.drill(`${key.ref}-${key.id}`)
  const socket = `drill-${key.id}`
  // Of its own, since the project's server may run or end meanwhile.
  const user = await machine.users.give()
  const { maxConnections } = record
  const scratch: Scratch = { home, dataDir: `${home}/data`, socket, user, maxConnections }
  try {
    const rows = await readBack(machine, key, scratch)
    failpoint('compute.backup.read-back')
    const now = async () => storedTables(await adminOf(machine, key.ref, password))
    await compareRows(facts.counts, rows, now, machine.statisticsLag)
    return { tables: rows.size, rows: [...rows.values()].reduce((sum, count) => sum + count, 0) }
  } finally {
    await clearScratch(machine, scratch)
    await machine.users.end(user)
    await machine.users.clear(user)
  }
}

async function readBack(machine: Machine, key: BackupKey, scratch: Scratch) {
  try {
    await unpack(machine, key, scratch)
    // It is thrown away: nothing has to outlive a power cut.
    const admin = await startScratch(machine, scratch, { fsync: 'off' })
    const tables = await storedTables(admin)
    const counts = await countRows(admin, tables, { deep: true })
    return new Map(tables.map((table, i) => [nameOf(table), counts[i] ?? 0]))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new BackupDamagedError(`The backup cannot be read back: ${why}`, { cause: error })
  }
}
