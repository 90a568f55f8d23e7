import { createHash } from 'node:crypto'
import { failpoint } from '#kit/failpoints'
import {
  CopyRefusedError,
  NotCoveredError,
  UnknownBackupError,
  type CopyChanges,
  type DatabaseAddress,
  type ProjectSpec,
  type RestorePoint,
} from '../../provider.ts'
import { ClusterApiError, type ClusterApi } from '../api.ts'
import type { Choices } from '../manifests.ts'
import {
  annotationOf,
  clusterAnnotation,
  hibernationAnnotation,
  isRef,
  readyAnnotation,
  sizeAnnotation,
  type ClusterKey,
} from '../objects.ts'
import { isProject } from '../observe.ts'
import {
  adminOf,
  currentOf,
  findCluster,
  isGoing,
  keyIn,
  namespaceNamed,
  reach,
} from '../project.ts'
import { addressKnown, amend, order, uidOf, type Work } from '../work.ts'
import {
  begin,
  backupBefore,
  end,
  isArchiving,
  forget,
  readArchive,
  writeArchive,
} from './archive.ts'
import type { Bucket } from './bucket.ts'
import { allFacts, getFacts, idsOf, type Facts } from './facts.ts'
import type { Source } from './manifests.ts'
import { archiveNow, archiveOf } from './moments.ts'
import { archiveAnnotation, drillRole, restoresAnnotation, roleLabel, serverOf } from './objects.ts'
import { clustersOf, recoverCluster, removeCluster } from './recover.ts'
import { givePasswords } from './server-store.ts'
import type { BackupPlace } from './place.ts'

export type RestoreWith = {
  api: ClusterApi
  bucket: Bucket
  place: BackupPlace
  choices: Choices
  work: Work
  /** Everything that a project has beside its cluster. */
  furnish: (api: ClusterApi, ref: string, maxConnections: number) => Promise<void>
  start: (api: ClusterApi, ref: string) => Promise<DatabaseAddress>
  /** Removes all that a project has in the cluster; its backups stay. */
  clear: (api: ClusterApi, ref: string) => Promise<void>
}

/** What is replaced is given so long to stop in good order. */
const longestStopMs = 120_000
/** More never come again at once. */
const maxOrders = 100
const markOf = (order: string): string =>
  createHash('sha256').update(order).digest('hex').slice(0, 12)

/**
 * Makes a project of what a backup holds, in a cluster of its own beside the one that may be there. Only when it runs and has its
 * passwords is it the project, by one write that also notes the order; what was the project before goes then. Whoever repeats the order
 * goes on where it was broken off, since the cluster's name is made of the order.
 */
export async function restoreProject(
  context: RestoreWith,
  spec: ProjectSpec,
  from: RestorePoint,
  orderId: string,
  changes?: CopyChanges,
): Promise<DatabaseAddress> {
  const { api, place, choices, work } = context
  const { ref } = spec
  // In a cluster nobody empties tables or masks columns before others come in.
  if (changes && (!changes.rows || changes.masks.length > 0))
    throw new CopyRefusedError(
      'In a Kubernetes cluster a copy has all rows as they are: it cannot be made without rows or with masked columns',
    )
  const stamp = markOf(orderId)
  const key = { ref, name: `${ref}-${stamp}` }
  const home = await api.find(namespaceNamed(ref))
  if (ordersOf(home && annotationOf(home, restoresAnnotation)).includes(stamp)) {
    await clearOthers(context, ref)
    return context.start(api, ref)
  }
  const source = await sourceOf(context, from)
  const before = keyIn(ref, home)
  const there = await findCluster(api, before)
  const isNew = isGoing(home) || !isProject(there)
  if (isGoing(home) || (isNew && home && !(await findCluster(api, key))))
    await context.clear(api, ref)
  const size = there && annotationOf(there, sizeAnnotation)
  const maxConnections = isNew || size === undefined ? spec.limits.maxConnections : Number(size)
  try {
    await context.furnish(api, ref, maxConnections)
    await place.furnish(api, ref)
    if (from.ref !== ref) await place.furnish(api, ref, from.ref)
    const server = serverOf(key, await uidOf(api, ref))
    await recoverCluster({ api, choices, work }, ref, {
      name: key.name,
      server,
      from: source,
      maxConnections,
    })
    failpoint('kubernetes.restore.recovered')
    await work.settled(async () => givePasswords(await adminOf(api, key), spec))
    await work.settleReadOnly(api, key)
    await order(api, key, { [readyAnnotation]: 'true' })
    failpoint('kubernetes.restore.prepared')
    await repoint(context, { key, before: isNew ? undefined : before, server, stamp })
  } catch (error) {
    // Unless it is the project by now: then a repeated order goes on from here.
    if ((await currentOf(api, ref)).name !== key.name)
      await (isNew ? discard(context, ref) : removeCluster(api, key, work))
    throw error
  }
  failpoint('kubernetes.restore.repointed')
  await clearOthers(context, ref)
  return addressKnown(api, key)
}

/** A new project that did not come about. The backups of one that vanished from the cluster stay: they are all that is left of it. */
async function discard({ api, bucket, clear }: RestoreWith, ref: string): Promise<void> {
  await clear(api, ref)
  if ((await idsOf(bucket, ref)).length === 0) await bucket.removeFolder(`${ref}/`)
}

const ordersOf = (text: string | undefined): string[] => (text ? text.split(',') : [])

/** Nothing is lost on the way: what was the project until now stops, and is not removed before another one is in its place. */
async function repoint(
  { api, work }: RestoreWith,
  of: { key: ClusterKey; before: ClusterKey | undefined; server: string; stamp: string },
): Promise<void> {
  const { key, before, server, stamp } = of
  // With a last commit behind it, all that was written until now can come back as well.
  const closed = before && (await archiveNow(api, before, work).catch(() => undefined))
  if (before) {
    await order(api, before, { [hibernationAnnotation]: 'on' })
    // One that is broken may not stop in good order, and a restore is what helps it: it is deleted below.
    const deadlineMs = Math.min(work.patience.deadlineMs, longestStopMs)
    await reach(api, before, 'stopped', { ...work.patience, deadlineMs }).catch(
      (error: unknown) => {
        if (error instanceof ClusterApiError) throw error
      },
    )
  }
  await amend(api, namespaceNamed(key.ref), (home) => {
    const archive = readArchive(annotationOf(home, archiveAnnotation))
    const now = new Date()
    const next = isArchiving(archive) ? begin(end(archive, closed ?? now), server, now) : archive
    const orders = ordersOf(annotationOf(home, restoresAnnotation))
    return {
      [clusterAnnotation]: key.name,
      [restoresAnnotation]: [...orders.filter((one) => one !== stamp), stamp]
        .slice(-maxOrders)
        .join(','),
      [archiveAnnotation]: writeArchive(next),
    }
  })
}

/** What was the project before, or was to become it and never did, and what it archived where no backup leads to that. */
async function clearOthers({ api, bucket, work }: RestoreWith, ref: string): Promise<void> {
  const current = await currentOf(api, ref)
  const uid = await uidOf(api, ref)
  const backups = await allFacts(bucket, ref)
  const drills = await clustersOf(api, ref, { [roleLabel]: drillRole })
  const kept = new Set([current.name, ...drills.map(({ name }) => name)])
  for (const one of await clustersOf(api, ref))
    if (!kept.has(one.name)) {
      const server = serverOf(one, uid)
      const isNeeded = backups.some((backup) => backup.server === server)
      // First, since nobody knows of it once the cluster is gone; and again, for what it has still archived.
      if (!isNeeded) await bucket.removeFolder(`${ref}/${server}/`)
      await removeCluster(api, one, work)
      if (!isNeeded) await bucket.removeFolder(`${ref}/${server}/`)
    }
  await amend(api, namespaceNamed(ref), (home) => {
    const text = annotationOf(home, archiveAnnotation)
    if (text === undefined) return undefined
    const after = writeArchive(forget(readArchive(text), backups))
    return after === text ? undefined : { [archiveAnnotation]: after }
  })
}

/** @throws UnknownBackupError, NotCoveredError */
async function sourceOf(context: RestoreWith, from: RestorePoint): Promise<Source> {
  const { api, bucket } = context
  const { ref } = from
  if (!isRef(ref)) throw new UnknownBackupError(`There is no backup of ${ref}`)
  const of = ({ server, backupId }: Facts, until: Source['until']) => ({
    ref,
    server,
    backupId,
    until,
  })
  if ('id' in from) return of(await getFacts(bucket, { ref, id: from.id }), 'consistent')
  const { until } = from
  const archive = await archiveOf(api, ref)
  const facts = backupBefore(archive, await allFacts(bucket, ref), until)
  if (!facts) throw new NotCoveredError(`No backup leads to ${until.toISOString()}`)
  return of(facts, await endOf(context, ref, facts.server, until))
}

/** Postgres replays up to a moment only where something was committed after it: elsewhere, what there is was before the moment. */
async function endOf({ api, work }: RestoreWith, ref: string, server: string, until: Date) {
  const isAfter = (marked: Date | undefined) => marked !== undefined && marked > until
  if (isAfter((await archiveOf(api, ref)).marks[server])) return until
  const current = await currentOf(api, ref)
  const isCurrent = serverOf(current, await uidOf(api, ref)) === server
  const marked = isCurrent ? await archiveNow(api, current, work) : undefined
  return isAfter(marked) ? until : ('end' as const)
}
