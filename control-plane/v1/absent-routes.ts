import { v1 as api } from '#contract/v1'
import { ApiError } from '#kit/errors'
import { implement } from '#kit/http'

const refuse = (what: string) => () =>
  Promise.reject(new ApiError('not_on_this_installation', `This installation has no ${what}`))
const noBranches = refuse('branches of a project')
const noVanity = refuse('vanity subdomains')
const noHostname = refuse('custom host names')

/** Programs hear in a way that they understand what there is not. */
export const v1AbsentRoutes = [
  implement(api.networkBans, async () => ({ banned_ipv4_addresses: [] })),
  implement(api.enrichedNetworkBans, async () => ({ banned_ipv4_addresses: [] })),
  implement(api.removeNetworkBans, async () => ({})),
  implement(api.branches, async () => []),
  implement(api.createBranch, noBranches),
  implement(api.vanitySubdomain, async () => ({ status: 'not-used' as const })),
  implement(api.checkVanitySubdomain, noVanity),
  implement(api.activateVanitySubdomain, noVanity),
  implement(api.customHostname, noHostname),
  implement(api.initializeCustomHostname, noHostname),
]
