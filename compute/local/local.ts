import { acceptsConnections } from '#kit/postgres/ping'
import { createMutex, perKey } from '#kit/concurrency'
import { createSubjects } from '#kit/subjects'
import type { ServerLogEntry } from '#contract/observability/server-log'
import type { DatabaseAddress, Provider } from '../provider.ts'
import { localBackups } from './backups/backups.ts'
import { adoptProject } from './adopt.ts'
import { machineCapacity } from './bounds/capacity.ts'
import { createProject, destroyProject } from './create.ts'
import { isRef } from './folders.ts'
import { diskMark, diskSpace, diskUse } from './disk-use.ts'
import { createInspect } from './inspect.ts'
import { createServerLogs, type ServerLogs } from './logs/server-logs.ts'
import type { LocalOptions, Machine } from './machine.ts'
import { openMachine } from './open-machine.ts'
import { setNetworks } from './networks.ts'
import { closeLogins, openLogin } from './logins/login-roles.ts'
import { passwordVerifier } from './logins/password-verifier.ts'
import { setReadOnly } from './read-only.ts'
import { startWith } from './versions/start-with.ts'
import { changePrograms, versionsOf } from './versions/versions.ts'
import { watchForHanging } from './replicas/hanging.ts'
import { localReplicas } from './replicas/replicas.ts'
import { startReplicas } from './replicas/server.ts'
import { checkRoles } from './roles.ts'
import { listensOnAddress, startProject, stopProject } from './run.ts'
import { serverLoad } from './bounds/server-load.ts'
import { upgradeFailure } from './upgrade.ts'
import { layVaultKeys } from './vault/vault-keys.ts'

const usualLookMs = 15_000

export type LocalProvider = Provider & {
  /** Waits until the copies for the next creates are made; for benchmarks and tests. */
  settled(): Promise<void>
}

/**
 * Projects as Postgres servers on this machine, one provider per home at a time. Operations on one project wait for
 * each other, different projects go side by side. Everything opens on first use; a failed attempt is repeated by the next.
 */
export function createLocalProvider(options: LocalOptions): LocalProvider {
  /** Operations on one project come one after the other. */
  const exclusively = perKey(createMutex)
  const { each } = createSubjects(options.log)
  const inspect = createInspect()
  let opened: Promise<Machine> | undefined
  let current: Machine | undefined
  const endHanging = watchForHanging()
  const closing = new AbortController()
  let logWatch: NodeJS.Timeout | undefined
  const background = new Set<Promise<unknown>>()
  let takeLog = (_ref: string, _entries: ServerLogEntry[]): Promise<void> => Promise.resolve()
  let serverLogs: ServerLogs | undefined

  function machine(): Promise<Machine> {
    opened ??= openMachine(options, closing.signal).then(
      (machine) => {
        serverLogs = createServerLogs({
          fileOf: machine.folders.log,
          folders: [
            machine.runtime.clusters,
            machine.runtime.sockets,
            machine.runtime.binaries.native,
            machine.runtime.programs,
          ],
          handOver: (...entries) => takeLog(...entries),
          log: options.log,
        })
        return (current = machine)
      },
      (error: unknown) => {
        opened = undefined
        throw error
      },
    )
    return opened
  }
  function forProject<T>(ref: string, work: (machine: Machine) => Promise<T>): Promise<T> {
    if (!isRef(ref)) return Promise.reject(new TypeError(`"${ref}" is not a project ref`))
    return exclusively(ref, async () => work(await machine()))
  }
  async function lookAtLogs({ registry }: Machine): Promise<void> {
    await each('server logs', registry.refs(), String, async (ref) => serverLogs?.round(ref))
  }
  /** Replicas run while their project does: after each start of its server, and when one has ended by itself. */
  const wakeReplicas = (ref: string) => forProject(ref, (m) => startReplicas(m, ref))
  async function lookAtReplicas({ registry }: Machine): Promise<void> {
    const having = registry.refs().filter((ref) => registry.get(ref)?.replicas)
    await each('read replicas', having, String, (ref) =>
      forProject(ref, async (m) => {
        await endHanging(m, ref)
        await startReplicas(m, ref)
      }),
    )
  }
  const thenReplicas = async <T>(ref: string, started: Promise<T>): Promise<T> => {
    const result = await started
    if (current?.registry.get(ref)?.replicas) inBackground(wakeReplicas(ref))
    return result
  }
  /** What a closed provider has begun is waited for. */
  function inBackground(work: Promise<void>): void {
    const settled = work.catch((err: unknown) =>
      options.log.error({ err }, 'read replicas not looked at'),
    )
    background.add(settled)
    void settled.then(() => background.delete(settled))
  }
  /** Follows the log of a server that runs, whatever began it. */
  const followed = async (ref: string, started: Promise<DatabaseAddress>) => {
    const address = await started
    await serverLogs?.follow(ref)
    return address
  }

  return {
    async prepare() {
      const ready = await machine()
      ready.spares.refill()
      await each('servers of an earlier version', ready.registry.refs(), String, async (ref) => {
        if (ready.registry.get(ref)?.ready && (await listensOnAddress(ready, ref)))
          await forProject(ref, (m) => startProject(m, ref))
      })
      await each('server logs', ready.registry.refs(), String, async (ref) =>
        serverLogs?.follow(ref),
      )
      inBackground(lookAtReplicas(ready))
      logWatch ??= setInterval(() => {
        lookAtLogs(ready).catch((err: unknown) => options.log.error({ err }, 'logs not looked at'))
        inBackground(lookAtReplicas(ready))
      }, options.lookMs ?? usualLookMs).unref()
    },
    create: (spec) => forProject(spec.ref, (m) => followed(spec.ref, createProject(m, spec))),
    start: (ref) =>
      thenReplicas(
        ref,
        forProject(ref, (m) => followed(ref, startProject(m, ref))),
      ),
    stop: (ref) =>
      forProject(ref, async (m) => {
        await stopProject(m, ref)
        await serverLogs?.unfollow(ref)
      }),
    restart: (ref) =>
      thenReplicas(
        ref,
        forProject(ref, async (m) => {
          await stopProject(m, ref, { forLong: false })
          return followed(ref, startProject(m, ref))
        }),
      ),
    resize: (ref, limits) =>
      thenReplicas(
        ref,
        forProject(ref, async (m) => {
          const resized = await startWith(m, ref, limits, 'resize')
          await serverLogs?.follow(ref)
          return resized
        }),
      ),
    async limits(ref) {
      const record = (await machine()).registry.get(ref)
      return record?.ready ? { maxConnections: record.maxConnections } : undefined
    },
    versions: async (ref) => versionsOf(await machine(), ref),
    changeVersion: (ref, id) =>
      thenReplicas(
        ref,
        forProject(ref, async (m) => {
          const changed = await changePrograms(m, ref, id)
          await serverLogs?.follow(ref)
          return changed
        }),
      ),
    capacity: machineCapacity,
    destroy: (ref) =>
      forProject(ref, async (m) => {
        serverLogs?.forget(ref)
        await destroyProject(m, ref)
      }),
    onServerLog(take) {
      takeLog = take
    },
    layVaultKeys: (ref) =>
      forProject(ref, async (m) => {
        if ((await inspect(m, ref)).state === 'running') await layVaultKeys(m, ref)
      }),
    setReadOnly: (ref, readOnly) => forProject(ref, (m) => setReadOnly(m, ref, readOnly)),
    // Counting waits for nobody, as looking does.
    diskUse: async (ref) => diskUse(await machine(), ref),
    diskMark: async (ref) => diskMark(await machine(), ref),
    diskSpace: () => diskSpace(options.home),
    load: async (ref) => serverLoad(await machine(), ref),
    setNetworks: (ref, networks) => forProject(ref, (m) => setNetworks(m, ref, networks)),
    adopt: (spec) => forProject(spec.ref, (m) => adoptProject(m, spec)),
    checkRoles: (ref, password) => forProject(ref, (m) => checkRoles(m, ref, password)),
    // Looking does not wait for work in progress.
    passwordVerifier: async (ref, role, password) =>
      isRef(ref) ? passwordVerifier(await machine(), ref, role, password) : undefined,
    openLogin: (ref, opening, password) =>
      forProject(ref, (m) => openLogin(m, ref, opening, password)),
    closeLogins: (ref, password) => forProject(ref, (m) => closeLogins(m, ref, password)),
    upgradeFailure(ref) {
      const record = current?.registry.get(ref)
      return current && record && upgradeFailure(current, record)
    },
    inspect: async (ref) => inspect(await machine(), ref),
    async probe(ref) {
      const { folders, registry } = await machine()
      const record = registry.get(ref)
      if (!record?.ready) return false
      return acceptsConnections({ socketDir: folders.socket(ref), port: record.port })
    },
    backups: localBackups({ machine, forProject }),
    replicas: localReplicas({ machine, forProject }),
    list: async () => (await machine()).folders.refs(),
    settled: async () => (await machine()).spares.settled(),
    async close() {
      closing.abort()
      clearInterval(logWatch)
      serverLogs?.close()
      // What could not be opened has nothing to close, and whoever wanted it was told.
      const machine = await opened?.catch(() => undefined)
      await machine?.spares.close()
      await Promise.all(background)
    },
  }
}
