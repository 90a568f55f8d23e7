import { v1 as api } from '#contract/v1/v1'
import { implement } from '#kit/http'
import type { NetworkRestrictions } from './network-restrictions.ts'

export const networkRoutes = (networks: NetworkRestrictions) => [
  implement(api.networkRestrictions, ({ ref }) => networks.get(ref)),
  implement(api.applyNetworkRestrictions, ({ ref, ...wanted }, caller, origin) =>
    networks.apply(caller, ref, wanted, origin),
  ),
  implement(api.changeNetworkRestrictions, ({ ref, ...change }, caller, origin) =>
    networks.change(caller, ref, change, origin),
  ),
]
