import { setTimeout as delay } from 'node:timers/promises'
import { BackupDamagedError } from '../../provider.ts'
import type { RowCount } from './backup-files.ts'
import type { StoredTable } from './server-store.ts'

export const nameOf = ({ database, table }: { database: string; table: string }) =>
  `${database} ${table}`

/**
 * Whether what was read back has the rows of the server that runs. A table with other rows is a fault only when nobody has written to
 * it since the backup began; `lagMs` is how long the server's own statistics may be behind.
 * @throws BackupDamagedError
 */
export async function compareRows(
  expected: readonly RowCount[],
  found: ReadonlyMap<string, number>,
  now: () => Promise<StoredTable[]>,
  lagMs: number,
): Promise<void> {
  const wrong = expected.filter((one) => found.get(nameOf(one)) !== one.rows)
  const stillQuiet = async (tables: readonly RowCount[]) => {
    const writes = new Map((await now()).map((table) => [nameOf(table), table.writes]))
    return tables.filter((one) => writes.get(nameOf(one)) === one.writes)
  }
  if (wrong.length === 0 || (await stillQuiet(wrong)).length === 0) return
  await delay(lagMs)
  const [first] = await stillQuiet(wrong)
  if (!first) return
  const rows = found.get(nameOf(first))
  throw new BackupDamagedError(
    `${first.table} has ${first.rows} rows, and ${rows ?? 'is not'} in the backup`,
  )
}
