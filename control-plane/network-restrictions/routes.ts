import { v1 as api } from '#contract/v1'
import { implement } from '#kit/http'
import type { createNetworkRestrictions } from './network-restrictions.ts'

export const networkRoutes = (networks: ReturnType<typeof createNetworkRestrictions>) => [
  implement(api.networkRestrictions, ({ ref }) => networks.get(ref)),
  implement(api.applyNetworkRestrictions, ({ ref, ...wanted }, caller, origin) =>
    networks.apply(caller, ref, wanted, origin),
  ),
]
