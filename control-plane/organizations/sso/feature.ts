import type { Platform } from '../../platform.ts'
import { createArrival } from './arrival.ts'
import { resolveTxtByDns } from './domains.ts'
import { ssoRoutes } from './routes.ts'
import { createSso } from './sso.ts'
import { ssoStore } from './store.ts'

type Needs = Pick<Parameters<typeof createArrival>[0], 'join' | 'makeProfile'>

/** Signing in through an organization's own identity provider. */
export function ssoFeature(platform: Platform, { join, makeProfile }: Needs) {
  const { db, record, log, sso: gateway, resolveTxt = resolveTxtByDns } = platform
  const { trustedSsoDomains: trustedDomains = [] } = platform
  const store = ssoStore(db)
  const sso = createSso({ store, record, resolveTxt, gateway, trustedDomains, log })
  return {
    routes: ssoRoutes(sso),
    forget: sso.forget,
    arrive: createArrival({ store, record, join, makeProfile }),
  }
}
