import { failpoint } from '#kit/failpoints'
import type { BackupFacts, BackupKey } from '../../provider.ts'
import { rowsIn, tablesIn, type StoredTable } from '../../local/backups/server-store.ts'
import type { ClusterApi } from '../api.ts'
import {
  annotationOf,
  clusterApi,
  namespaceOf,
  sizeAnnotation,
  type ClusterKey,
} from '../objects.ts'
import { adminOf, findCluster, reach } from '../project.ts'
import { order, uidOf, type Work } from '../work.ts'
import type { Bucket } from './bucket.ts'
import { baseFolder, bytesOf, findFacts, writeFacts, type Facts } from './facts.ts'
import { archiver, backup, backupName } from './manifests.ts'
import { serverOf, type Backup } from './objects.ts'
import type { BackupPlace } from './place.ts'
import { databasesOf, withReader } from './server-store.ts'

/** A server comes up again with the platform, and a backup that is due then waits for it so long: the next one is a day away. */
const comesUpMs = 30_000
/** Copying takes as long as there is to copy. */
const longestMs = 6 * 60 * 60 * 1000
/** The operator's times are whole seconds: the copy was whole at some moment of the one that is named. */
const second = 1000

type With = {
  api: ClusterApi
  bucket: Bucket
  place: BackupPlace
  work: Work
  /** Everything that a project has beside its cluster. */
  furnish: (api: ClusterApi, ref: string, maxConnections: number) => Promise<void>
}

const backupNamed = ({ ref, id }: BackupKey) => ({
  apiVersion: clusterApi,
  kind: 'Backup',
  metadata: { name: backupName(ref, id), namespace: namespaceOf(ref) },
})

/** Has the operator copy the server that runs, and writes down beside the copy what is needed to see later whether it is good. */
export async function makeBackup(
  { api, bucket, work, ...others }: With,
  backupKey: BackupKey,
  key: ClusterKey,
): Promise<BackupFacts> {
  const made = await findFacts(bucket, backupKey)
  if (made) return { bytes: made.bytes, takenAt: made.takenAt }
  await reach(api, key, 'running', { ...work.patience, deadlineMs: comesUpMs })
  await equip({ api, work, ...others }, key)
  await clearBackup({ api, bucket, work }, backupKey, key)
  const admin = await adminOf(api, key)
  const names = await databasesOf(admin)
  const before = await work.settled(() => withReader(admin, (reader) => tablesIn(reader, names)))
  await api.create(backup(key.ref, key.name, backupKey.id))
  failpoint('kubernetes.backup.ordered')
  const { status = {} } = await finished(api, backupKey, work)
  failpoint('kubernetes.backup.copied')
  const { backupId, beginWal, stoppedAt } = status
  if (!backupId || !beginWal || !stoppedAt)
    throw new Error('The operator did not say which backup it has made')
  const server = serverOf(key, await uidOf(api, key.ref))
  const rows = await work.settled(() =>
    withReader(admin, (reader) => rowsIn(reader, before, { deep: false })),
  )
  const bytes = await bytesOf(bucket, baseFolder(key.ref, { server, backupId }))
  if (bytes === 0) throw new Error('What the operator has copied is not in the bucket')
  const size = annotationOf((await findCluster(api, key)) ?? {}, sizeAnnotation)
  const takenAt = new Date(Date.parse(stoppedAt) + second)
  const facts: Facts = {
    version: 1,
    backupId,
    server,
    bytes,
    takenAt,
    beginWal,
    maxConnections: Number(size),
    counts: countsOf(before, rows),
  }
  await writeFacts(bucket, backupKey, facts)
  await api.remove(backupNamed(backupKey))
  return { bytes, takenAt }
}

const countsOf = (tables: readonly StoredTable[], rows: readonly (number | undefined)[]) =>
  tables.flatMap(({ database, table, writes }, i) => {
    const count = rows[i]
    return count === undefined ? [] : [{ database, table, rows: count, writes }]
  })

/**
 * Gives a project what it needs for backups as the settings have it now. The server of one that is older than the bucket is started anew
 * once.
 */
async function equip(
  { api, place, work, furnish }: Omit<With, 'bucket'>,
  key: ClusterKey,
): Promise<void> {
  const cluster = await findCluster(api, key)
  await furnish(api, key.ref, Number(cluster && annotationOf(cluster, sizeAnnotation)))
  await place.furnish(api, key.ref)
  if (cluster?.spec.plugins?.length) return
  await order(api, key, {}, { plugins: [archiver(serverOf(key, await uidOf(api, key.ref)))] })
  await work.up(api, key)
  await work.settleReadOnly(api, key)
}

async function finished(
  api: ClusterApi,
  backupKey: BackupKey,
  { patience }: Work,
): Promise<Backup> {
  const named = backupNamed(backupKey)
  const path = `/apis/${clusterApi}/namespaces/${named.metadata.namespace}/backups`
  const until = performance.now() + longestMs
  let failingSince: number | undefined
  for (;;) {
    const found = await api.find<Backup>(named)
    if (!found) throw new Error('Somebody has removed the order for the backup')
    const { phase, error } = found.status ?? {}
    if (phase === 'completed') return found
    const now = performance.now()
    // The operator waits until the archive takes files again, which it may never.
    failingSince = phase === 'walArchivingFailing' ? (failingSince ?? now) : undefined
    const isStuck = failingSince !== undefined && now - failingSince > patience.deadlineMs
    // The order stays: it says what there is to be removed.
    if (phase === 'failed' || isStuck || now > until)
      throw new Error(`The operator made no backup (${phase}): ${error ?? 'it gives no reason'}`)
    await api.change(path, found.metadata.resourceVersion, patience.lookMs)
  }
}

/** What an attempt that was broken off has left: an order, and maybe files that nothing is known of. Nothing there is fine. */
export async function clearBackup(
  { api, bucket, work }: Omit<With, 'place' | 'furnish'>,
  backupKey: BackupKey,
  key: ClusterKey,
): Promise<void> {
  const named = backupNamed(backupKey)
  const left = await api.find<Backup>(named)
  if (!left) return
  const { phase, backupId } = left.status ?? {}
  const isDone = phase === 'completed' || phase === 'failed' || phase === 'walArchivingFailing'
  const cluster = await findCluster(api, key)
  // One that is being made can only be waited for, as long as there is somebody who makes it.
  const ended =
    isDone || !cluster ? backupId : (await finished(api, backupKey, work)).status?.backupId
  const server = left.spec.cluster.name === key.name && serverOf(key, await uidOf(api, key.ref))
  if (ended !== undefined && server)
    await bucket.removeFolder(baseFolder(key.ref, { server, backupId: ended }))
  await api.remove(named)
}
