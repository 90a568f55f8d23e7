import { chmod, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { durabilityFloor } from '#kit/postgres/floor'
import { isMissing } from '#kit/postgres/files'
import type { OsUser } from '#kit/postgres/os-user'
import { killAllOf } from '#kit/postgres/processes'
import { findRunning, startServer, stopServer, waitUntilReady } from '#kit/postgres/server'
import { UnknownProjectError, type DatabaseAddress, type ReplicaKey } from '../../provider.ts'
import { memorySettings } from '../bounds/size.ts'
import type { Machine } from '../machine.ts'
import { userOf, type ProjectRecord, type ReplicaRecord } from '../registry.ts'
import { connectionSettings, preloadSettings } from '../settings.ts'
import { replicator, slotOf } from './server-store.ts'

const port = 5432
const startDeadlineMs = 60_000
/** Its log has nothing but why it ends or cannot connect; people read none of it. */
const maxLogBytes = 8 * 1024 * 1024

export const dataOf = ({ folders }: Machine, { ref, id }: ReplicaKey): string =>
  join(folders.replica(ref, id), 'data')
export const loginOf = ({ folders }: Machine, { ref, id }: ReplicaKey): string =>
  join(folders.replica(ref, id), 'login')
const logOf = ({ folders }: Machine, { ref, id }: ReplicaKey): string =>
  join(folders.replica(ref, id), 'server.log')
const nameOf = ({ ref, id }: ReplicaKey): string => `${ref}-${id}`
/** Of a replica that comes up as a server of its own before it takes the place of its primary. */
export const promotionSocket = (ref: string): string => `p-${ref}`

export const replicaOf = (machine: Machine, { ref, id }: ReplicaKey): ReplicaRecord | undefined =>
  machine.registry.get(ref)?.replicas?.find((one) => one.id === id)

export const isRecorded = (machine: Machine, key: ReplicaKey): boolean =>
  replicaOf(machine, key) !== undefined

/** Its record as it is to be, beside whatever else was said of the project meanwhile. */
export async function record(
  { registry }: Machine,
  ref: string,
  replica: ReplicaRecord,
): Promise<ProjectRecord> {
  const project = registry.get(ref)
  if (!project?.ready) throw new UnknownProjectError(ref)
  const others = (project.replicas ?? []).filter(({ id }) => id !== replica.id)
  const after = { ...project, replicas: [...others, replica] }
  await registry.save(ref, after)
  return after
}

/**
 * A user of its own, in the group of the project: by that it reads the configuration of the project's server, which it is run
 * with, and enters its socket. The data of each are closed to the other.
 */
export const userOfReplica = (
  project: ProjectRecord,
  { uid }: Pick<ReplicaRecord, 'uid'>,
): OsUser | undefined => {
  const owner = userOf(project)
  return uid === null || !owner ? undefined : { uid, gid: owner.gid }
}

export async function addressOf(
  machine: Machine,
  key: ReplicaKey,
): Promise<DatabaseAddress | undefined> {
  const server = await findRunning(dataOf(machine, key))
  return server?.ready ? { socketDir: server.socketDir, port: server.port } : undefined
}

const quoted = (text: string) => `'${text.replaceAll(/['\\]/g, '\\$&')}'`

/** Where it reads from: who may not enter the socket's folder, or has no password, reads nothing. */
function source(machine: Machine, key: ReplicaKey, primary: ProjectRecord): string {
  const words = {
    host: machine.folders.socket(key.ref),
    port: String(primary.port),
    user: replicator,
    passfile: loginOf(machine, key),
    application_name: key.id,
    connect_timeout: '10',
  }
  return Object.entries(words)
    .map(([name, value]) => `${name}=${quoted(value)}`)
    .join(' ')
}

/** By its group, which the replicas are in, and nobody else. */
export const openSocketToReplicas = (socketDir: string): Promise<void> => chmod(socketDir, 0o710)

/** Starts a replica that is whole, or takes it over when it runs. The project's server need not run. */
export async function startReplica(
  machine: Machine,
  key: ReplicaKey,
  project: ProjectRecord,
  replica: ReplicaRecord,
): Promise<DatabaseAddress> {
  const { folders, containment } = machine
  const [dataDir, configDir] = [dataOf(machine, key), folders.config(key.ref)]
  const user = userOfReplica(project, replica)
  if (await findRunning(dataDir)) {
    const isConnected = replica.reads === project.port
    const server = isConnected && (await waitUntilReady(dataDir, startDeadlineMs))
    if (server) {
      await containment.takenOver(nameOf(key), project.maxConnections, server.pid, user)
      return { socketDir: server.socketDir, port: server.port }
    }
    await stopServer(dataDir)
  }
  await machine.users.end(user)
  const socketDir = await folders.makeSocket(nameOf(key), user)
  const { binaries, preload } = await machine.programs(project.programs)
  const most = Math.max(project.maxConnections, replica.maxConnections)
  const { max_worker_processes = '8' } = memorySettings(most)
  await startServer({
    binaries,
    dataDir,
    configDir,
    socketDir,
    port,
    tcp: false,
    settings: {
      ...durabilityFloor,
      ...memorySettings(project.maxConnections),
      // With fewer than the project's server it would replay nothing.
      ...connectionSettings(most),
      max_worker_processes,
      ...preloadSettings(preload),
      log_min_messages: 'fatal',
      primary_conninfo: source(machine, key, project),
      primary_slot_name: slotOf(key.id),
    },
    logFile: logOf(machine, key),
    ...(await containment.held({
      group: nameOf(key),
      maxConnections: project.maxConnections,
      user,
      writes: [dataDir, socketDir],
      reads: [binaries.native, configDir, folders.replica(key.ref, key.id)],
    })),
    deadlineMs: startDeadlineMs,
  })
  await record(machine, key.ref, { ...replica, maxConnections: most, reads: project.port })
  return { socketDir, port }
}

/** Ends every process of a replica; also of one that no record knows, of which there is a folder. */
export async function stopReplica(machine: Machine, key: ReplicaKey): Promise<void> {
  const dataDir = dataOf(machine, key)
  await stopServer(dataDir)
  await killAllOf(dataDir)
  const project = machine.registry.get(key.ref)
  const replica = replicaOf(machine, key)
  const user = project && replica && userOfReplica(project, replica)
  await machine.users.end(user)
  await machine.containment.ended(nameOf(key))
  await machine.folders.removeSocket(nameOf(key))
  await machine.users.clear(user)
}

/** The ids of all that there is anything of. */
export async function replicasIn(machine: Machine, ref: string): Promise<string[]> {
  const recorded = machine.registry.get(ref)?.replicas ?? []
  const found = await machine.folders.replicasOf(ref)
  return [...new Set([...recorded.map(({ id }) => id), ...found])].toSorted()
}

export async function stopReplicas(machine: Machine, ref: string): Promise<void> {
  const ids = await replicasIn(machine, ref)
  await Promise.all(ids.map((id) => stopReplica(machine, { ref, id })))
}

/** Starts those that are whole while the project's server runs. One that does not start keeps no other from it. */
export async function startReplicas(machine: Machine, ref: string): Promise<void> {
  const project = machine.registry.get(ref)
  const whole = project?.replicas?.filter(({ ready }) => ready) ?? []
  if (!project || whole.length === 0 || !(await findRunning(machine.folders.data(ref)))) return
  for (const replica of whole) {
    const key = { ref, id: replica.id }
    try {
      await startReplica(machine, key, project, replica)
      await boundLog(logOf(machine, key))
    } catch (error) {
      machine.log.error({ err: error, ...key }, 'a read replica does not start')
    }
  }
}

async function boundLog(path: string): Promise<void> {
  try {
    if ((await stat(path)).size > maxLogBytes) await truncate(path)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}
