import { v1 as api } from '#contract/v1/v1'
import { elsewhere, v1Elsewhere } from '#contract/v1/v1-elsewhere'
import { ApiError } from '#kit/errors'
import { implement } from '#kit/http'

const refuse = (what: string) => () =>
  Promise.reject(new ApiError('not_on_this_installation', `This installation has no ${what}`))
const noRootKey = refuse('root key of pgsodium')

/** Clients are told, in a form that they understand, what an installation does not have. */
export const v1AbsentRoutes = [
  implement(api.networkBans, async () => ({ banned_ipv4_addresses: [] })),
  implement(api.enrichedNetworkBans, async () => ({ banned_ipv4_addresses: [] })),
  implement(api.removeNetworkBans, async () => ({})),
  implement(
    api.updateConfig,
    refuse('change of all settings at once; each group of settings has its own address under /v1'),
  ),
  implement(
    api.updatePooler,
    refuse('adjustable pooler for one project; its size follows from the compute size'),
  ),
  implement(api.rootKey, noRootKey),
  implement(api.updateRootKey, noRootKey),
  ...Object.entries(elsewhere).flatMap(([what, requests]) =>
    requests.flatMap((request) => {
      const endpoint = v1Elsewhere[request]
      return endpoint ? [implement(endpoint, refuse(what))] : []
    }),
  ),
]
