import type { Platform } from '../../platform.ts'
import { createNetworkRestrictions, type NetworkRestrictions } from './network-restrictions.ts'
import { networkStore } from './store.ts'
import { v1 as api } from '#contract/v1/v1'
import { implement } from '#kit/http'

type Needs = {
  /** Has the ports of databases go by what rows say now. Rejects where nobody answers. */
  tellPorts: () => Promise<unknown>
}

/** From which networks the databases of projects can be reached. */
export function networkRestrictionsFeature(
  { db, audited, compute, each, log }: Platform,
  { tellPorts }: Needs,
) {
  const networks = createNetworkRestrictions({
    store: networkStore(db),
    audited,
    compute,
    tellPorts,
    each,
    log,
  })
  return {
    networks,
    routes: networkRoutes(networks),
    rounds: [{ seconds: 60, name: 'networks of projects', run: () => networks.settleAll() }],
  }
}

const networkRoutes = (networks: NetworkRestrictions) => [
  implement(api.networkRestrictions, ({ ref }) => networks.get(ref)),
  implement(api.applyNetworkRestrictions, ({ ref, ...desired }, caller, origin) =>
    networks.apply(caller, ref, desired, origin),
  ),
  implement(api.changeNetworkRestrictions, async ({ ref, ...change }, caller, origin) => {
    const { config, ...rest } = await networks.change(caller, ref, change, origin)
    const listed = (addresses: readonly string[], type: 'v4' | 'v6') =>
      addresses.map((address) => ({ address, type }))
    const dbAllowedCidrs = [
      ...listed(config.dbAllowedCidrs, 'v4'),
      ...listed(config.dbAllowedCidrsV6 ?? [], 'v6'),
    ]
    return { ...rest, config: { dbAllowedCidrs } }
  }),
]
