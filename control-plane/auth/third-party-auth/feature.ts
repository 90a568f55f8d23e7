import { createSafeFetch } from '#kit/network/safe-fetch'
import type { Platform } from '../../platform.ts'
import { thirdPartyAuthRoutes } from './routes.ts'
import { thirdPartyAuthStore } from './store.ts'
import { createThirdPartyAuths } from './third-party-auth.ts'

type Needs = {
  /** The address of a project as its clients know it. */
  endpointOf: (ref: string) => string
}

/** Issuers beside the project's own whose tokens it takes. */
export function thirdPartyAuthFeature(platform: Platform, { endpointOf }: Needs) {
  const { db, record, projects, fetch = createSafeFetch({ timeoutMs: 5000 }) } = platform
  const thirdParties = createThirdPartyAuths({
    store: thirdPartyAuthStore(db),
    fetch,
    record,
    tell: projects.tell,
    issuerOf: (ref) => `${endpointOf(ref)}/auth/v1`,
  })
  return { routes: thirdPartyAuthRoutes(thirdParties), forService: thirdParties.forService }
}
