import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { failpoint } from '#kit/failpoints'
import { changeOwner } from '#kit/postgres/cluster'
import { readControlFile } from '#kit/postgres/recovery/control-file'
import { exists, syncFolder, writeDurably } from '#kit/postgres/files'
import { killAllOf, waitUntil } from '#kit/postgres/processes'
import { findRunning, stopServer } from '#kit/postgres/server'
import {
  NotCaughtUpError,
  UnknownProjectError,
  UnknownReplicaError,
  type DatabaseAddress,
  type Promotion,
  type ReplicaKey,
} from '../../provider.ts'
import { beginPart, endPart } from '../backups/archive.ts'
import { adminOf } from '../backups/make.ts'
import { withOrder } from '../backups/restore.ts'
import { configureScratch, settleScratch, startScratch, type Scratch } from '../backups/scratch.ts'
import { finishSwap } from '../backups/swap.ts'
import type { Machine } from '../machine.ts'
import { userOf, type ProjectRecord } from '../registry.ts'
import { startProject, stopProject } from '../run.ts'
import {
  dataOf,
  isRecorded,
  promotionSocket,
  replicaOf,
  startReplica,
  stopReplicas,
} from './server.ts'
import { lookAtSlots, receivedBy } from './server-store.ts'

/** A replica that is further behind is not waited for: nobody is answered meanwhile. */
const mostBehindBytes = 64 * 1024 * 1024
const receiveMs = 5000

/**
 * The data of a replica become those of its project. From the moment that `promoting` is written down, the server that there was
 * is never started again; until the data of the replica have come up as a server of their own, its files stay all the same. Doing it
 * again finishes what was broken off, wherever that was.
 */
export async function promoteReplica(
  machine: Machine,
  key: ReplicaKey,
  password: string,
  { order, force }: Promotion,
): Promise<DatabaseAddress> {
  const { ref, id } = key
  const record = machine.registry.get(ref)
  if (!record?.ready) throw new UnknownProjectError(ref)
  if (record.restores?.includes(order)) return startProject(machine, ref)
  if (record.promoting !== undefined && record.promoting !== id)
    throw new Error(`Another read replica of ${ref} is being promoted`)
  if (record.promoting === undefined) await fence(machine, key, password, force)
  // Where it is no more, it has been moved already.
  if (await exists(dataOf(machine, key))) {
    try {
      await comeUp(machine, key)
    } catch (error) {
      await giveUp(machine, key, force)
      throw error
    }
    await rename(machine.folders.replica(ref, id), machine.folders.restored(ref))
    await syncFolder(machine.folders.project(ref))
  }
  failpoint('compute.promote.named')
  await takePlace(machine, key, order)
  failpoint('compute.promote.saved')
  return startProject(machine, ref)
}

/** Stops the project's server for good, once the replica is known to have all that it has written. */
async function fence(
  machine: Machine,
  key: ReplicaKey,
  password: string,
  force: boolean,
): Promise<void> {
  const { ref, id } = key
  const { folders, registry } = machine
  const replica = replicaOf(machine, key)
  if (!replica?.ready) throw new UnknownReplicaError(key)
  await finishSwap(machine, ref)
  await folders.discard(folders.restored(ref))
  const project = registry.get(ref)
  if (!project) throw new UnknownProjectError(ref)
  if (!force) {
    if (await findRunning(folders.data(ref))) await refuseFarBehind(machine, key, password)
    // It was stopped for this before, or by somebody else.
    else await startReplica(machine, key, project, replica)
  }
  await stopProject(machine, ref, { forLong: false })
  failpoint('compute.promote.stopped')
  const lack = force ? undefined : await lackOf(machine, key, password).catch(reasonOf)
  if (lack !== undefined) {
    await startProject(machine, ref)
    throw new NotCaughtUpError(lack)
  }
  await registry.save(ref, { ...(registry.get(ref) ?? project), promoting: id })
  failpoint('compute.promote.fenced')
}

async function refuseFarBehind(machine: Machine, key: ReplicaKey, password: string): Promise<void> {
  const admin = await adminOf(machine, key.ref, password)
  const slots = await lookAtSlots(admin, (id) => isRecorded(machine, { ref: key.ref, id }))
  const slot = slots.get(key.id)
  if (slot?.state !== 'streaming') throw new NotCaughtUpError('It is not connected to the primary')
  if (slot.lag === null || slot.lag > mostBehindBytes)
    throw new NotCaughtUpError('It is too far behind the primary')
}

const reasonOf = (error: unknown) =>
  `It does not answer: ${error instanceof Error ? error.message : String(error)}`

/** What keeps a stopped server from being given up for its replica; undefined: the replica has all of it. */
async function lackOf(
  machine: Machine,
  key: ReplicaKey,
  password: string,
): Promise<string | undefined> {
  const control = await readControlFile(machine.folders.data(key.ref))
  if (!control) return 'The data of the primary cannot be read'
  if (!control.isShutDown) return 'The primary did not stop in good order'
  const server = await findRunning(dataOf(machine, key))
  if (!server?.ready) return 'Its server does not run'
  const admin = { host: server.socketDir, port: server.port, password }
  // The record of the checkpoint lies behind this place, and is the last one that there is.
  const hasAll = await waitUntil(
    async () => (await receivedBy(admin)) > control.checkpoint,
    receiveMs,
  )
  return hasAll ? undefined : 'It did not get all that the primary has written'
}

/** The replica replays all that it has, as the project's own user and where nobody reaches it, and begins a history of its own. */
async function comeUp(machine: Machine, key: ReplicaKey): Promise<void> {
  const { ref, id } = key
  const project = machine.registry.get(ref)
  const replica = replicaOf(machine, key)
  if (!project || !replica) throw new UnknownReplicaError(key)
  const dataDir = dataOf(machine, key)
  const user = userOf(project)
  const scratch: Scratch = {
    home: machine.folders.replica(ref, id),
    dataDir,
    socket: promotionSocket(ref),
    user,
    maxConnections: Math.max(project.maxConnections, replica.maxConnections),
  }
  await stopReplicas(machine, ref)
  await machine.users.end(user)
  await killAllOf(dataDir)
  if (user) await changeOwner(dataDir, user)
  failpoint('compute.promote.owned')
  await writeDurably(join(dataDir, 'recovery.signal'), '', user)
  await rm(join(dataDir, 'standby.signal'), { force: true })
  await configureScratch(scratch)
  await startScratch(machine, scratch, {
    default_transaction_read_only: 'off',
    // All that there is lies in its own log.
    restore_command: 'false',
    recovery_target_action: 'promote',
  })
  failpoint('compute.promote.recovered')
  await settleScratch(machine, scratch)
}

/** The old server goes on where it is whole; what is left of the replica is made anew. */
async function giveUp(machine: Machine, { ref, id }: ReplicaKey, force: boolean): Promise<void> {
  const { registry, folders } = machine
  const record = registry.get(ref)
  await stopServer(join(folders.replica(ref, id), 'data'), { mode: 'immediate' })
  await machine.containment.ended(promotionSocket(ref))
  await folders.removeSocket(promotionSocket(ref))
  // By force the replica may be all that there is, and another attempt goes on with it.
  if (!record || force || !(await exists(join(folders.data(ref), 'PG_VERSION')))) return
  const { promoting: _, ...rest } = record
  const replicas = record.replicas?.map((one) => (one.id === id ? { ...one, ready: false } : one))
  await registry.save(ref, { ...rest, ...(replicas && { replicas }) })
  await startProject(machine, ref)
}

/** What is written from now on is another history: in the archive, and for other replicas. */
async function takePlace(machine: Machine, { ref, id }: ReplicaKey, order: string): Promise<void> {
  const { registry } = machine
  const before = registry.get(ref)
  if (!before) throw new UnknownProjectError(ref)
  if (before.archive !== undefined) await endPart(machine, ref, before.archive)
  const archive = before.archive && (await beginPart(machine, ref, userOf(before)))
  await finishSwap(machine, ref)
  failpoint('compute.promote.swapped')
  const { promoting: _, replicas = [], ...rest } = before
  const others = replicas.filter((one) => one.id !== id).map((one) => ({ ...one, ready: false }))
  const after: ProjectRecord = { ...rest, archive, ...(others.length > 0 && { replicas: others }) }
  await registry.save(ref, withOrder(after, order))
}
