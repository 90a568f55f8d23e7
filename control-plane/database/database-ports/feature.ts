import { dataPlaneApi } from '#contract/data-plane-api'
import { internal } from '#contract/internal-api'
import type { DatabasePortState } from '#contract/internal-api'
import { databasePorts as api } from '#contract/database/database-ports'
import { poolOf } from '#contract/projects/compute-sizes'
import { ApiError } from '#kit/errors'
import { implement, implementOpen } from '#kit/http'
import type { Platform } from '../../platform.ts'
import type { ProjectAddress } from '../../platform-database/tables.ts'
import { databasePortStore } from './store.ts'

type Needs = {
  /** Starts the server of a project anew, with another port where its own belongs to another program. */
  restart: (ref: string) => Promise<ProjectAddress>
  /** Of the superuser. @throws ApiError project_not_found */
  adminPasswordOf: (ref: string) => Promise<string>
}

/** Programs that take one port after the other are not run after for ever. */
const mostMoves = 3

/**
 * The ports at which people reach the databases of projects. The data plane takes the connections and passes them on to the
 * server, which listens on its socket alone. Servers that are somebody else's have ports of their own.
 */
export function databasePortsFeature(
  { db, compute, dataPlane, projects, url, poolerPorts, log }: Platform,
  { restart, adminPasswordOf }: Needs,
) {
  const store = databasePortStore(db, (ref) => `${url}/project/${ref}`)
  const isOurs = compute.setNetworks !== undefined
  /** Has the data plane look at what there is now. @throws ApiError when it does not answer */
  const look = (): Promise<DatabasePortState[]> => dataPlane.ask(dataPlaneApi.databasePorts, {})

  /** Whether another program has the port. A data plane that is away opens it by itself when it comes back. */
  async function isTaken(ref: string): Promise<boolean> {
    try {
      const state = (await look()).find((one) => one.ref === ref)
      return state !== undefined && state.problem !== null
    } catch (error) {
      log.info({ err: error, ref }, 'The port of a database is not open yet')
      return false
    }
  }

  async function stateOf(ref: string) {
    const row = await projects.find(ref)
    if (!row) throw new ApiError('project_not_found')
    const port = row.db_address?.port ?? null
    const none = { session: null, transaction: null }
    const pooler = { ...((isOurs && poolerPorts) || none), ...poolOf(row.compute_size) }
    const isWanted = isOurs && (await store.all()).some((one) => one.ref === ref && !one.paused)
    if (!isWanted) return { port, problem: null, pooler }
    try {
      const state = (await look()).find((one) => one.ref === ref)
      return { port, problem: state ? state.problem : 'The port is not open yet', pooler }
    } catch (error) {
      log.warn({ err: error, ref }, 'The data plane does not tell which database ports are open')
      return {
        port,
        problem: 'The service that takes connections does not answer at the moment',
        pooler,
      }
    }
  }

  return {
    look,
    /**
     * Has the port opened before anybody hears that the project is up; answers with the address that it has then. Nothing waits
     * for a data plane that is away.
     */
    async open(ref: string, address: ProjectAddress): Promise<ProjectAddress> {
      if (!isOurs) return address
      let now = address
      for (let moves = 0; ; moves++) {
        await projects.setAddress(ref, now)
        if (moves === mostMoves || !(await isTaken(ref))) return now
        now = await restart(ref)
      }
    },
    routes: [
      implementOpen(internal.databasePorts, async () => (isOurs ? store.all() : [])),
      implementOpen(internal.passwordVerifier, async ({ ref, role }) => {
        const row = compute.passwordVerifier && (await projects.find(ref))
        if (!row) return { verifier: null }
        const verifier = await compute.passwordVerifier?.(ref, role, await adminPasswordOf(ref))
        return { verifier: verifier ?? null }
      }),
      implement(api.get, ({ ref }) => stateOf(ref)),
    ],
  }
}
