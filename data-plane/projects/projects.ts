import { isDeepStrictEqual } from 'node:util'
import type { ProjectConnection } from '#contract/internal'
import type { ProjectStatus } from '#contract/projects/project-status'
import { restartableServices, type RestartableService } from '#contract/projects/service-restarts'
import type { Log } from '#kit/log'
import { serviceConnections } from '#contract/projects/compute-sizes'
import { replicaTenant } from '#contract/projects/replicas'
import { ConnectionBudgets } from './connection-budget.ts'
import type { Directory } from './directory.ts'
import { openProject, type Handle, type Limits, type OpenProject } from './open-project.ts'

/** The project exists and cannot be served now. The message is for the client. */
export class ProjectUnavailableError extends Error {
  readonly status: ProjectStatus

  constructor(status: ProjectStatus) {
    super(unavailable[status] ?? 'Project is not available')
    this.status = status
  }
}

const unavailable: Partial<Record<ProjectStatus, string>> = {
  INACTIVE: 'Project is paused',
  PAUSING: 'Project is being paused',
  RESTORING: 'Project is being restored',
  COMING_UP: 'Project is being created',
  INIT_FAILED: 'Project could not be created',
  RESTORE_FAILED: 'Project could not be restored',
  GOING_DOWN: 'Project is being deleted',
  REMOVED: 'Project was deleted',
  RESTARTING: 'Project is restarting',
  UPGRADING: 'Project is being upgraded',
  RESIZING: 'Project is being resized',
}

/** Statuses with a database to talk to. An unhealthy one may answer at any moment; whoever asks finds out. */
const servable: readonly ProjectStatus[] = ['ACTIVE_HEALTHY', 'ACTIVE_UNHEALTHY', 'PAUSE_FAILED']

type Options = {
  directory: Directory
  log: Log
  /** Milliseconds without a request after which a project is closed. */
  idleMs?: number
  limits?: Partial<Limits>
  /** Shared with whoever else connects to the projects' servers. */
  budgets?: ConnectionBudgets
}

export type Projects = {
  /**
   * Undefined: there is no such project.
   * @throws ProjectUnavailableError when it has no running database.
   */
  open(ref: string): Promise<OpenProject | undefined>
  /** The listener hears of each service of an open project that somebody restarts. */
  onRestart(service: RestartableService, listener: (project: OpenProject) => void): void
  /** Projects with something open. */
  readonly openCount: number
  close(): Promise<void>
}

const defaults: Limits = {
  connectionsPerLogin: 10,
  waitMs: 10_000,
  connectMs: 5000,
  drainMs: 5000,
  replicaLagMs: 10_000,
}

/** For projects that do not say how many connections there may be, as many as the smallest server has places for. */
export const createBudgets = () => new ConnectionBudgets(serviceConnections(0))

/**
 * The projects this process serves, opened at their first request, closed when nobody asks any more and at once when
 * the directory says that they pause, go away or move.
 */
export function createProjects({
  directory,
  log,
  idleMs = 300_000,
  limits,
  budgets = createBudgets(),
}: Options): Projects {
  const open = new Map<string, Handle>()
  const closing = new Set<Promise<void>>()
  const restarted = new Map<RestartableService, ((project: OpenProject) => void)[]>()
  const all: Limits = { ...defaults, ...limits }

  function shut(handle: Handle): void {
    if (open.get(handle.connection.ref) === handle) open.delete(handle.connection.ref)
    const done = handle.close().finally(() => closing.delete(done))
    closing.add(done)
  }

  /** Who is connected goes by it from now on, without another request. */
  function adopt(handle: Handle, now: ProjectConnection): void {
    const { restarts: before } = handle.connection
    handle.connection = now
    for (const service of restartableServices) {
      if (before?.[service] === now.restarts?.[service]) continue
      log.info({ ref: now.ref, service }, 'A service of a project is restarted')
      for (const listener of restarted.get(service) ?? []) listener(handle)
    }
  }

  async function recheck(ref: string): Promise<void> {
    const before = open.get(ref)
    if (!before) return
    let now: ProjectConnection | undefined
    try {
      now = await directory.find(ref)
    } catch (error) {
      log.warn({ err: error, ref }, 'A changed project could not be looked up')
      return
    }
    const handle = open.get(ref)
    if (!handle) return
    if (!isSame(handle.connection, now)) return shut(handle)
    if (now) adopt(handle, now)
  }

  const stopListening = directory.onChange((ref) => void recheck(ref))
  const sweep = setInterval(
    () => {
      const now = performance.now()
      for (const handle of open.values()) {
        if (handle.lastUsed < now - idleMs && !handle.busy()) shut(handle)
        else handle.trim(now - idleMs / 5)
      }
    },
    Math.max(idleMs / 10, 10),
  )
  sweep.unref()

  return {
    async open(ref) {
      const connection = await directory.find(ref)
      if (!connection) return undefined
      if (!servable.includes(connection.status)) {
        throw new ProjectUnavailableError(connection.status)
      }
      const found = open.get(ref)
      if (found?.connection === connection) return found
      if (found && isSame(found.connection, connection)) {
        adopt(found, connection)
        return found
      }
      if (found) shut(found)
      const budget = budgets.of(ref, connection.database.connections)
      // The size of a replica is that of its project, and so are the places that it has.
      const replicaBudget = (identifier: string) =>
        budgets.of(replicaTenant(ref, identifier), connection.database.connections)
      const handle = openProject(connection, budget, all, log, replicaBudget)
      open.set(ref, handle)
      return handle
    },
    onRestart(service, listener) {
      restarted.set(service, [...(restarted.get(service) ?? []), listener])
    },
    get openCount() {
      return open.size
    },
    async close() {
      clearInterval(sweep)
      stopListening()
      for (const handle of open.values()) shut(handle)
      await Promise.all(closing)
    },
  }
}

/**
 * A change of health, of keys, or of how the auth or storage service works, leaves the connections as they are. Whoever goes by
 * these reads them from `connection` each time.
 */
function isSame(a: ProjectConnection, b: ProjectConnection | undefined): boolean {
  if (!b || !servable.includes(b.status)) return false
  return isDeepStrictEqual({ ...ofDatabase(a), status: b.status }, ofDatabase(b))
}

const ofDatabase = (connection: ProjectConnection) => ({
  ...connection,
  replicas: undefined,
  restarts: undefined,
  signingKeys: [],
  thirdPartyAuth: [],
  opaqueKeys: [],
  storageKeys: [],
  legacyKeysDisabledAt: undefined,
  settings: { ...connection.settings, auth: {}, realtime: undefined, storage: undefined },
})
