import { createSafeFetch } from '#kit/network/safe-fetch'
import type { Platform } from '../../platform.ts'
import { thirdPartyAuthStore } from './store.ts'
import { createThirdPartyAuths, type ThirdPartyAuths } from './third-party-auth.ts'
import { thirdPartyAuth as api } from '#contract/auth/third-party-auth'
import { implement } from '#kit/http'

type Needs = {
  /** The address of a project as its clients know it. */
  endpointOf: (ref: string) => string
}

/** Issuers beside the project's own whose tokens it takes. */
export function thirdPartyAuthFeature(platform: Platform, { endpointOf }: Needs) {
  const { db, audited, fetch = createSafeFetch({ timeoutMs: 5000 }) } = platform
  const thirdParties = createThirdPartyAuths({
    store: thirdPartyAuthStore(db),
    fetch,
    audited,
    issuerOf: (ref) => `${endpointOf(ref)}/auth/v1`,
  })
  return { routes: thirdPartyAuthRoutes(thirdParties), forService: thirdParties.forService }
}

const thirdPartyAuthRoutes = (parties: ThirdPartyAuths) => [
  implement(api.list, ({ ref }) => parties.list(ref)),
  implement(api.create, (input, caller, origin) => parties.create(caller, input, origin)),
  implement(api.get, ({ ref, tpa_id: id }) => parties.get(ref, id)),
  implement(api.remove, (input, caller, origin) => parties.remove(caller, input, origin)),
]
