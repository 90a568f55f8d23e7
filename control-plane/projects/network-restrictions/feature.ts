import type { Platform } from '../../platform.ts'
import { createNetworkRestrictions } from './network-restrictions.ts'
import { networkRoutes } from './routes.ts'
import { networkStore } from './store.ts'

/** From which networks the databases of projects can be reached. */
export function networkRestrictionsFeature({ db, record, compute, each, log }: Platform) {
  const networks = createNetworkRestrictions({
    store: networkStore(db),
    record,
    compute,
    each,
    log,
  })
  return {
    networks,
    routes: networkRoutes(networks),
    rounds: [{ seconds: 60, name: 'networks of projects', run: () => networks.settleAll() }],
  }
}
