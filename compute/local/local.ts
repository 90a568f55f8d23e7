import { acceptsConnections } from '#kit/postgres/ping'
import { createMutex, perKey } from '#kit/concurrency'
import { createSubjects } from '#kit/subjects'
import type { Provider } from '../provider.ts'
import { localBackups } from './backups/backups.ts'
import { adoptProject } from './adopt.ts'
import { createProject, destroyProject } from './create.ts'
import { isRef } from './folders.ts'
import { diskMark, diskSpace, diskUse } from './disk-use.ts'
import { createInspect } from './inspect.ts'
import type { LocalOptions, Machine } from './machine.ts'
import { openMachine } from './open-machine.ts'
import { setNetworks } from './networks.ts'
import { setReadOnly } from './read-only.ts'
import { checkRoles } from './roles.ts'
import { startProject, stopProject } from './run.ts'
import { upgradeFailure } from './upgrade.ts'
import { copyFile, stat, truncate } from 'node:fs/promises'
import { isMissing } from '#kit/postgres/files'

const maxLogBytes = 8 * 1024 * 1024
const logCheckMs = 15_000

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
  const closing = new AbortController()
  let logWatch: NodeJS.Timeout | undefined

  function machine(): Promise<Machine> {
    opened ??= openMachine(options, closing.signal).then(
      (machine) => (current = machine),
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
  async function boundLogs({ folders, registry }: Machine): Promise<void> {
    await each('server logs', registry.refs(), String, (ref) =>
      boundLog(folders.log(ref), maxLogBytes),
    )
  }

  return {
    async prepare() {
      const ready = await machine()
      ready.spares.refill()
      logWatch ??= setInterval(() => {
        boundLogs(ready).catch((err: unknown) => options.log.error({ err }, 'logs not bounded'))
      }, logCheckMs).unref()
    },
    create: (spec) => forProject(spec.ref, (m) => createProject(m, spec)),
    start: (ref) => forProject(ref, (m) => startProject(m, ref)),
    stop: (ref) => forProject(ref, (m) => stopProject(m, ref)),
    restart: (ref) =>
      forProject(ref, async (m) => {
        await stopProject(m, ref, { forLong: false })
        return startProject(m, ref)
      }),
    destroy: (ref) => forProject(ref, (m) => destroyProject(m, ref)),
    setReadOnly: (ref, readOnly) => forProject(ref, (m) => setReadOnly(m, ref, readOnly)),
    // Counting waits for nobody, as looking does.
    diskUse: async (ref) => diskUse(await machine(), ref),
    diskMark: async (ref) => diskMark(await machine(), ref),
    diskSpace: () => diskSpace(options.home),
    setNetworks: (ref, networks) => forProject(ref, (m) => setNetworks(m, ref, networks)),
    adopt: (spec) => forProject(spec.ref, (m) => adoptProject(m, spec)),
    checkRoles: (ref, password) => forProject(ref, (m) => checkRoles(m, ref, password)),
    // Looking does not wait for work in progress.
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
    list: async () => (await machine()).folders.refs(),
    settled: async () => (await machine()).spares.settled(),
    async close() {
      closing.abort()
      clearInterval(logWatch)
      // What could not be opened has nothing to close, and whoever wanted it was told.
      const machine = await opened?.catch(() => undefined)
      await machine?.spares.close()
    },
  }
}

/**
 * Keeps a log file below a size: the full one becomes `.1`, which replaces the one before. The server appends to the
 * same open file, so it is emptied and not renamed.
 */
export async function boundLog(file: string, maxBytes: number): Promise<void> {
  try {
    if ((await stat(file)).size <= maxBytes) return
    await copyFile(file, `${file}.1`)
    await truncate(file)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}
