import { assertDurable, durabilityFloor } from '#kit/postgres/floor'
import { findRunning, startServer, stopServer, waitUntilReady } from '#kit/postgres/server'
import { UnknownProjectError, type DatabaseAddress } from '../provider.ts'
import { archiveSettings } from './backups/archive.ts'
import { memorySettings } from './bounds/size.ts'
import { finishSwap } from './backups/swap.ts'
import { settleConfig } from './config.ts'
import type { Machine } from './machine.ts'
import { userOf, type ProjectRecord } from './registry.ts'
import { openSocketToReplicas, stopReplicas } from './replicas/server.ts'
import { connectionSettings, preloadSettings } from './settings.ts'
import { clearVaultKeys, layAtStart } from './vault/vault-keys.ts'
import { isUpToDate, upgradeProject } from './upgrade.ts'

const startDeadlineMs = 60_000

/** Whether its server runs as an earlier version has started it, with an address of its own; starting it again ends that. */
export const listensOnAddress = async ({ folders }: Machine, ref: string): Promise<boolean> =>
  (await findRunning(folders.data(ref)))?.tcp === true

/** Starts a project that was created, or takes over its server when one runs already. */
export async function startProject(machine: Machine, ref: string): Promise<DatabaseAddress> {
  const record = machine.registry.get(ref)
  const damaged = machine.registry.unreadable.get(ref)
  if (damaged) throw new Error(`The record of project ${ref} is damaged`, { cause: damaged.error })
  if (!record?.ready) throw new UnknownProjectError(ref)
  if (record.promoting !== undefined)
    throw new Error(
      `Project ${ref} goes on as its replica ${record.promoting}, which is being promoted`,
    )
  const dataDir = machine.folders.data(ref)
  await finishSwap(machine, ref)
  const running = await findRunning(dataDir)
  if (running) {
    // Started by an earlier life of the platform, perhaps a moment ago, and perhaps of an earlier version.
    const isOfThisVersion = isUpToDate(machine, record) && !running.tcp
    const server = isOfThisVersion && (await waitUntilReady(dataDir, startDeadlineMs))
    if (server) {
      const user = userOf(record)
      await machine.containment.takenOver(ref, record.maxConnections, server.pid, user)
      await layAtStart(machine, ref)
      return { socketDir: server.socketDir, port: server.port }
    }
    await stopServer(dataDir)
  }
  // Whatever ended the server, nothing of its user goes on beside the next one.
  await machine.users.end(userOf(record))
  return launch(machine, ref, await upgradeProject(machine, ref, record, userOf(record)))
}

/**
 * Starts the server of a data directory. It listens on its socket alone: people reach it through the gateway, at a port that
 * the project keeps unless another program has taken it meanwhile.
 */
export async function launch(
  machine: Machine,
  ref: string,
  record: ProjectRecord,
): Promise<DatabaseAddress> {
  const { folders, registry, containment } = machine
  const dataDir = folders.data(ref)
  const configDir = folders.config(ref)
  const { archive } = record
  await settleConfig(configDir, dataDir, userOf(record))
  await layAtStart(machine, ref)
  await assertDurable(dataDir, configDir)
  const { port } = await registry.withFreePort(ref, record)
  const socketDir = await folders.makeSocket(ref, userOf(record))
  const { id, binaries, preload } = await machine.programs(record.programs)
  if (registry.get(ref)?.programs !== id)
    await registry.save(ref, { ...record, ...registry.get(ref), programs: id })
  await startServer({
    binaries,
    dataDir,
    configDir,
    socketDir,
    port,
    tcp: false,
    settings: {
      ...durabilityFloor,
      ...connectionSettings(record.maxConnections),
      ...memorySettings(record.maxConnections),
      ...preloadSettings(preload),
      ...(archive === undefined ? {} : archiveSettings(machine, ref, archive)),
    },
    logFile: folders.log(ref),
    ...(await containment.held({
      group: ref,
      maxConnections: record.maxConnections,
      user: userOf(record),
      writes: [dataDir, socketDir, ...(archive === undefined ? [] : [folders.archive(ref)])],
      reads: [binaries.native, configDir],
    })),
    deadlineMs: startDeadlineMs,
  })
  if (record.uid !== null && record.replicas) await openSocketToReplicas(socketDir)
  return { socketDir, port }
}

/**
 * Ends the server and every process of its user, those of its replicas where it is not started again at once, and removes what these left outside of the project's folder, which can wait
 * when the server starts again at once. A project that does not exist is stopped already.
 */
export async function stopProject(
  machine: Machine,
  ref: string,
  { forLong = true } = {},
): Promise<void> {
  const { folders, registry, users } = machine
  const record = registry.get(ref)
  const user = record && userOf(record)
  if (forLong) await stopReplicas(machine, ref)
  await stopServer(folders.data(ref))
  await users.end(user)
  await machine.containment.ended(ref)
  await folders.removeSocket(ref)
  await clearVaultKeys(folders, ref)
  if (forLong) await users.clear(user)
}
