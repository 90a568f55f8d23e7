import { failpoint } from '#kit/failpoints'
import { compareRows, nameOf } from '../../local/backups/compare.ts'
import { rowsIn, tablesIn } from '../../local/backups/server-store.ts'
import { BackupDamagedError, type BackupKey, type Readback } from '../../provider.ts'
import type { ClusterApi } from '../api.ts'
import type { Choices } from '../manifests.ts'
import type { ClusterKey } from '../objects.ts'
import { adminOf } from '../project.ts'
import type { Work } from '../work.ts'
import type { Bucket } from './bucket.ts'
import { getFacts, type Facts } from './facts.ts'
import { drillRole, roleLabel } from './objects.ts'
import { clustersOf, recoverCluster, removeCluster } from './recover.ts'
import { databasesOf, withReader } from './server-store.ts'

/** What the server's own statistics may be behind: sessions tell what they wrote when they are idle, and a busy one once a minute. */
const statisticsLagMs = 61_000

type With = {
  api: ClusterApi
  bucket: Bucket
  choices: Choices
  work: Work
  lagMs?: number | undefined
}

/** The restore drill: a backup that was not read back is none. It is done in a cluster beside that of the project. */
export async function checkBackup(
  { api, bucket, choices, work, lagMs = statisticsLagMs }: With,
  backupKey: BackupKey,
  key: ClusterKey,
): Promise<Readback> {
  const { ref, id } = backupKey
  const facts = await getFacts(bucket, backupKey)
  const name = `${ref}-c${id}`
  // What a process that was killed has left.
  for (const drill of await clustersOf(api, ref, { [roleLabel]: drillRole }))
    if (drill.name !== name) await removeCluster(api, drill, work)
  const drill = { ref, name }
  try {
    const rows = await readBack({ api, choices, work }, drill, facts)
    failpoint('kubernetes.backup.read-back')
    const now = async () => {
      const admin = await adminOf(api, key)
      const names = await databasesOf(admin)
      return withReader(admin, (reader) => tablesIn(reader, names))
    }
    await compareRows(facts.counts, rows, () => work.settled(now), lagMs)
    return { tables: rows.size, rows: [...rows.values()].reduce((sum, count) => sum + count, 0) }
  } finally {
    await removeCluster(api, drill, work)
  }
}

async function readBack(
  { api, choices, work }: Omit<With, 'bucket'>,
  { ref, name }: ClusterKey,
  { server, backupId, maxConnections }: Facts,
): Promise<Map<string, number>> {
  try {
    const from = { ref, server, backupId, until: 'consistent' as const }
    const labels = { [roleLabel]: drillRole }
    const made = { name, labels, from, maxConnections }
    const key = await recoverCluster({ api, choices, work }, ref, made)
    // The plugin leaves the pod when all is brought back, for which the operator may start it anew.
    return await work.settled(async () => {
      const admin = await adminOf(api, key)
      const names = await databasesOf(admin)
      return withReader(admin, async (reader) => {
        const tables = await tablesIn(reader, names)
        const counts = await rowsIn(reader, tables, { deep: true })
        return new Map(tables.map((table, i) => [nameOf(table), counts[i] ?? 0]))
      })
    })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new BackupDamagedError(`The backup cannot be read back: ${why}`, { cause: error })
  }
}
