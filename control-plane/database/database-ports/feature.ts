import { dataPlaneApi } from '#contract/data-plane-api'
import { internal } from '#contract/internal-api'
import type { DatabasePortState } from '#contract/internal-api'
import { implementOpen } from '#kit/http'
import type { Platform } from '../../platform.ts'
import { databasePortStore } from './store.ts'

/**
 * The ports at which people reach the databases of projects. The data plane takes the connections and passes them on to the
 * server, which listens on its socket alone. Servers that are somebody else's have ports of their own.
 */
export function databasePortsFeature({ db, compute, dataPlane, projects, log }: Platform) {
  const store = databasePortStore(db)
  const isOurs = compute.setNetworks !== undefined
  /** Has the data plane look at what there is now. @throws ApiError when it does not answer */
  const look = (): Promise<DatabasePortState[]> => dataPlane.ask(dataPlaneApi.databasePorts, {})

  return {
    look,
    /**
     * Has the port opened before anybody hears that the project is up. A data plane that is away opens it by itself when it comes
     * back, so nothing waits for it.
     */
    async open(ref: string, address: Parameters<typeof projects.setAddress>[1]): Promise<void> {
      if (!isOurs) return
      await projects.setAddress(ref, address)
      await look().catch((error: unknown) =>
        log.info({ err: error, ref }, 'The port of a database is not open yet'),
      )
    },
    routes: [implementOpen(internal.databasePorts, async () => (isOurs ? store.all() : []))],
  }
}
